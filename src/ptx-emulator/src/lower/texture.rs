//! `tex`, `tld4`, `txq`, `suld.b`, `sust.b`, `suq`.

use super::alu::refuse;
use super::draft::{Draft, Lowerer, Virtual};
use crate::LoadError;
use crate::program::texture::{self, Edge, Geometry, ObjectAccess, Query};
use crate::program::{NONE, Op};
use crate::ptx::{At, Instruction, Operand};

impl<'a> Lowerer<'a> {
    /// `tex.GEOMETRY.v4.TYPE.COORDINATES d, [t, c]`.
    pub(super) fn fetch(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [geometry, "v4", ty @ ("f32" | "u32" | "s32"), coordinates @ ("f32" | "s32")] = m else { return refuse(i) };
        let Some(geometry) = Geometry::of(geometry) else { return refuse(i) };
        let what = ObjectAccess::Fetch { whole: *coordinates == "s32", floats: *ty == "f32" };
        let [d, place] = self.two_operands(i)?;
        self.access(what, geometry, d, place, (4, 32), i)
    }

    /// `tld4.COMPONENT.2d.v4.TYPE.f32 d, [t, c]`.
    pub(super) fn gather(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [component, "2d", "v4", ty @ ("f32" | "u32" | "s32"), "f32"] = m else { return refuse(i) };
        let Some(component) = ["r", "g", "b", "a"].iter().position(|c| c == component) else { return refuse(i) };
        let what = ObjectAccess::Gather { component, floats: *ty == "f32" };
        let [d, place] = self.two_operands(i)?;
        self.access(what, Geometry { dimensions: 2, layered: false }, d, place, (4, 32), i)
    }

    /// `suld.b.GEOMETRY.VECTOR.TYPE.EDGE d, [s, c]`, and `sust.b` the other way round.
    pub(super) fn surface(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let ["b", geometry, rest @ .., ty, edge] = m else { return refuse(i) };
        let Some(geometry) = Geometry::of(geometry) else { return refuse(i) };
        let cached = |m: &&&str| matches!(**m, "ca" | "cg" | "cs" | "cv" | "wb" | "wt");
        let lanes = match rest.iter().filter(|m| !cached(m)).copied().collect::<Vec<_>>().as_slice() {
            [] => 1,
            ["v2"] => 2,
            ["v4"] => 4,
            _ => return refuse(i),
        };
        let edge = match *edge {
            "trap" => Edge::Trap,
            "clamp" => Edge::Clamp,
            "zero" => Edge::Zero,
            _ => return refuse(i),
        };
        let bytes = match *ty {
            "b8" => 1,
            "b16" => 2,
            "b32" => 4,
            "b64" => 8,
            _ => return refuse(i),
        };
        if lanes * bytes > 16 {
            return refuse(i);
        }
        let [first, second] = self.two_operands(i)?;
        let count = (lanes as usize, (8 * bytes).max(16));
        if name == "suld" {
            self.access(ObjectAccess::Load { bytes, edge }, geometry, first, second, count, i)
        } else {
            self.access(ObjectAccess::Store { bytes, edge }, geometry, second, first, count, i)
        }
    }

    /// `txq.WHAT.b32 d, [t]`.
    pub(super) fn query(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [what, "b32"] = m else { return refuse(i) };
        let query = match *what {
            "width" => Query::Extent(0),
            "height" => Query::Extent(1),
            "depth" => Query::Extent(2),
            "array_size" => Query::Layers,
            _ => return Err(i.at.unsupported(format!("`{}`: this query", i.opcode))),
        };
        let [d, Operand::Address(Some(object), 0)] = self.two_operands(i)? else {
            return Err(i.at.parse(format!("`{}` takes a register and an object in brackets", i.opcode)));
        };
        let object = self.texture_object(object, i.at)?;
        let d = self.destination(d, 32, i.at)?;
        let geometry = Geometry { dimensions: 0, layered: false };
        self.emit_texture(ObjectAccess::Query(query), geometry, object, [NONE; 4], vec![(d, 32)]);
        Ok(())
    }

    fn two_operands(&self, i: &'a Instruction<'a>) -> Result<[&'a Operand<'a>; 2], LoadError> {
        match i.operands.as_slice() {
            [first, second] => Ok([first, second]),
            [_, _, ..] => Err(i.at.unsupported(format!("`{}` with an offset or a depth to compare", i.opcode))),
            _ => Err(i.at.parse(format!("`{}` takes coordinates in brackets and values", i.opcode))),
        }
    }

    /// Returns the register with a texture or surface object.
    fn texture_object(&mut self, name: &'a str, at: At) -> Result<Virtual, LoadError> {
        if let Some(variable) = self.tree.variable(name)
            && matches!(variable.ty, "texref" | "surfref" | "samplerref")
        {
            return Err(at.unsupported(format!("`{name}`: texture references. Use texture objects")));
        }
        self.source(&Operand::Name(name), 64, at)
    }

    /// Lowers an access with coordinates. `values` are `count` registers of `bits` bits.
    fn access(
        &mut self,
        what: ObjectAccess,
        geometry: Geometry,
        values: &'a Operand<'a>,
        place: &'a Operand<'a>,
        (count, bits): (usize, u32),
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let Operand::Brackets(parts) = place else {
            return Err(i.at.parse(format!("`{}` takes an object and coordinates in brackets", i.opcode)));
        };
        let [Operand::Address(Some(object), 0), given] = parts.as_slice() else {
            return Err(i.at.unsupported(format!("`{}` with a separate sampler", i.opcode)));
        };
        let object = self.texture_object(object, i.at)?;
        let given = match given {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        let needed = geometry.dimensions as usize + usize::from(geometry.layered);
        // Three coordinates are written as a vector of four.
        if given.len() != needed && (needed, given.len()) != (3, 4) {
            return Err(i.at.parse(format!("`{}` takes {needed} coordinates, not {}", i.opcode, given.len())));
        }
        let (layer, given) = if geometry.layered { given.split_at(1) } else { given.split_at(0) };
        let mut coordinates = [NONE; 4];
        for (slot, operand) in coordinates.iter_mut().zip(&given[..geometry.dimensions as usize]) {
            *slot = self.source(operand, 32, i.at)?;
        }
        if let [layer] = layer {
            coordinates[3] = self.source(layer, 32, i.at)?;
        }
        let all = match values {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if all.len() != count {
            return Err(i.at.parse(format!("`{}` takes {count} values, not {}", i.opcode, all.len())));
        }
        let stores = matches!(what, ObjectAccess::Store { .. });
        let mut values = Vec::new();
        for operand in all {
            let (v, has) = match operand {
                Operand::Name("_") if !stores => (self.fresh(bits), bits),
                _ if stores && self.named_register(operand).is_none() => (self.source(operand, bits, i.at)?, bits),
                _ => self.register(operand, i.at)?,
            };
            if has < bits {
                return Err(i.at.parse("the register is too narrow for the type"));
            }
            values.push((v, has));
        }
        self.emit_texture(what, geometry, object, coordinates, values);
        Ok(())
    }

    fn emit_texture(
        &mut self,
        what: ObjectAccess,
        geometry: Geometry,
        object: Virtual,
        coordinates: [Virtual; 4],
        values: Vec<(Virtual, u32)>,
    ) {
        let mut draft = Draft::new(Op::Texture);
        draft.texture = Some(Box::new(texture::Instruction { what, geometry, object, coordinates, values }));
        self.emit(draft);
    }
}
