//! An instruction form as a kernel that applies it to a list of cases.

use super::inputs::Kind;

/// How closely the emulator must agree with the GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Agreement {
    /// The same bits.
    Exact,
    /// Differs by at most `ulps` units in the last place of the result, or by at most `absolute`.
    Approximate { ulps: u64, absolute: f64 },
}

/// An instruction form: PTX with `A B C E` for its operands and `D` for its result.
///
/// The registers `%t0…`, `%u0…`, `%h0…` (32, 64, 16 bits) and `%p0…` are free. `%s` is the address of 16 bytes of
/// shared memory that belong to the thread.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    /// Its name in the fixtures: the text, unless that is long.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) inputs: Vec<Kind>,
    pub(crate) output: Kind,
    pub(crate) agreement: Agreement,
}

pub(crate) fn exact(text: impl Into<String>, inputs: &[Kind], output: Kind) -> Form {
    let text = text.into();
    Form { name: text.clone(), text, inputs: inputs.to_vec(), output, agreement: Agreement::Exact }
}

/// Creates a form with an approximate result on the GPU, within `ulps` units in the last place of the emulator's.
pub(crate) fn approximate(text: impl Into<String>, ulps: u64, inputs: &[Kind], output: Kind) -> Form {
    Form { agreement: Agreement::Approximate { ulps, absolute: 0.0 }, ..exact(text, inputs, output) }
}

/// The first lines of every PTX text.
pub(crate) const HEADER: &str = ".version 8.3\n.target sm_90\n.address_size 64\n";

const NAMES: [(char, &str); 4] = [('A', "a"), ('B', "b"), ('C', "c"), ('E', "e")];

fn register(name: &str, kind: Kind) -> String {
    match kind.bits() {
        1 => format!("%p{name}"),
        bits => format!("%{name}{bits}"),
    }
}

impl Form {
    /// Returns the number of cases per launch: all values if there is one 16-bit operand.
    pub(crate) fn count(&self, usual: usize) -> usize {
        match self.inputs.as_slice() {
            [one] if one.bits() == 16 => 1 << 16,
            _ => usual,
        }
    }

    /// Creates a kernel that reads four 64-bit values per thread and writes one.
    pub(crate) fn kernel(&self, name: &str) -> String {
        let mut body = self.text.replace('D', &register("d", self.output));
        let mut text = format!(
            ".visible .entry {name}(.param .u64 in, .param .u64 out)\n{{\n\
            .reg .b64 %x<6>; .reg .b32 %i<4>; .reg .b32 %t<10>; .reg .b64 %u<10>; .reg .b16 %h<10>; .reg .pred %p<10>;\n\
            .reg .b32 %s; .shared .align 16 .b8 scratch[2048];\n\
            mov.u32 %i0, %ctaid.x; mov.u32 %i1, %tid.x; mad.lo.u32 %i2, %i0, 128, %i1;\n\
            mov.u32 %s, scratch; mad.lo.u32 %s, %i1, 16, %s;\n\
            ld.param.u64 %x0, [in]; mad.wide.u32 %x0, %i2, 32, %x0;\n\
            ld.param.u64 %x1, [out]; mad.wide.u32 %x1, %i2, 8, %x1;\n"
        );
        for (at, (kind, (letter, name))) in self.inputs.iter().zip(NAMES).enumerate() {
            let register = register(name, *kind);
            body = body.replace(letter, &register);
            let offset = 8 * at;
            text += &match kind.bits() {
                1 => format!(
                    ".reg .pred {register}; ld.global.u32 %t0, [%x0+{offset}]; setp.ne.u32 {register}, %t0, 0;\n"
                ),
                bits => format!(".reg .b{bits} {register}; ld.global.b{bits} {register}, [%x0+{offset}];\n"),
            };
        }
        let d = register("d", self.output);
        let (declare, store) = match self.output.bits() {
            1 => (format!(".reg .pred {d};"), format!("selp.u64 %x2, 1, 0, {d};")),
            64 => (format!(".reg .b64 {d};"), format!("mov.b64 %x2, {d};")),
            bits => (format!(".reg .b{bits} {d};"), format!("cvt.u64.u{bits} %x2, {d};")),
        };
        text += &format!("{declare}\n{body}\n{store}\nst.global.u64 [%x1], %x2;\nret;\n}}\n");
        text
    }
}
