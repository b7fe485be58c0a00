/// How an instruction interprets its coordinates: the number of dimensions, and whether a layer precedes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) dimensions: u32,
    pub(crate) layered: bool,
}

impl Geometry {
    /// Parses `1d`, `2d`, `3d`, `a1d` or `a2d`.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let (dimensions, layered) = match word {
            "1d" => (1, false),
            "2d" => (2, false),
            "3d" => (3, false),
            "a1d" => (1, true),
            "a2d" => (2, true),
            _ => return None,
        };
        Some(Self { dimensions, layered })
    }
}

/// What a surface access does outside the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Trap,
    Clamp,
    Zero,
}

/// The property that `txq` or `suq` queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Query {
    /// The extent in a dimension; 0 after the last one.
    Extent(usize),
    Layers,
}

/// The operation on a texture or surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectAccess {
    /// `tex`. Integer coordinates (`whole`) are texel indices.
    Fetch {
        whole: bool,
        floats: bool,
    },
    /// `tld4`: fetches one component of the four texels that linear filtering would use.
    Gather {
        component: usize,
        floats: bool,
    },
    /// `suld.b` and `sust.b`: bytes per element, and what happens outside the surface.
    Load {
        bytes: u32,
        edge: Edge,
    },
    Store {
        bytes: u32,
        edge: Edge,
    },
    Query(Query),
}

/// An instruction on a texture or surface. Its registers are virtual until the program is laid out.
#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    pub(crate) what: ObjectAccess,
    pub(crate) geometry: Geometry,
    pub(crate) object: u32,
    /// x, y, z, and the layer.
    pub(crate) coordinates: [u32; 4],
    /// Registers of the values, with the bits of each.
    pub(crate) values: Vec<(u32, u32)>,
}

impl Instruction {
    pub(crate) fn reads(&self) -> impl Iterator<Item = u32> + '_ {
        let stored = if matches!(self.what, ObjectAccess::Store { .. }) { self.values.as_slice() } else { &[] };
        std::iter::once(self.object).chain(self.coordinates).chain(stored.iter().map(|value| value.0))
    }

    pub(crate) fn writes(&self) -> impl Iterator<Item = u32> + '_ {
        let loaded = if matches!(self.what, ObjectAccess::Store { .. }) { &[] } else { self.values.as_slice() };
        loaded.iter().map(|value| value.0)
    }

    /// Replaces virtual registers by their slots.
    pub(crate) fn placed(&self, slot: impl Fn(u32) -> u32) -> Self {
        let values = self.values.iter().map(|(v, bits)| (slot(*v), *bits)).collect();
        let (object, coordinates) = (slot(self.object), self.coordinates.map(slot));
        Self { what: self.what, geometry: self.geometry, object, coordinates, values }
    }
}
