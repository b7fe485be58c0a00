//! Every form of the tensor cores' products on small integers, which need no rounding. The positions of elements are
//! written here as the PTX ISA draws them.

use crate::support::Random;
use crate::tensor_forms::{Form, forms};

/// Dimensions and operands of a product in registers.
struct Layout<'a> {
    form: &'a Form<'a>,
    rows: usize,
    depth: usize,
    /// Columns of A that are stored.
    stored: usize,
    /// True for each operand in shared memory that is transposed.
    across: [bool; 2],
    /// For `m8n8k4` in half precision, which computes four products: true if A, and B, are stored by rows.
    quads: Option<[bool; 2]>,
}

/// Returns the bits per element.
pub(crate) fn bits(format: &str) -> usize {
    match format {
        "b1" => 1,
        "s4" | "u4" => 4,
        "s8" | "u8" | "e4m3" | "e5m2" => 8,
        "f16" | "bf16" => 16,
        "f64" => 64,
        _ => 32,
    }
}

/// Encodes a small integer in a format.
pub(crate) fn encode(format: &str, value: i64) -> u64 {
    let (exponent_bits, fraction_bits) = match format {
        "e4m3" => (4, 3),
        "e5m2" => (5, 2),
        "f16" => (5, 10),
        "bf16" => (8, 7),
        "tf32" | "f32" => (8, 23),
        "f64" => (11, 52),
        _ => return value as u64 & (u64::MAX >> (64 - bits(format))),
    };
    if value == 0 {
        return 0;
    }
    let size = value.unsigned_abs();
    let exponent = u64::from(size.ilog2());
    let fraction = ((size << 52) >> exponent & ((1 << 52) - 1)) >> (52 - fraction_bits);
    let biased = exponent + (1 << (exponent_bits - 1)) - 1;
    u64::from(value < 0) << (exponent_bits + fraction_bits) | biased << fraction_bits | fraction
}

impl<'a> Layout<'a> {
    fn new(form: &'a Form<'a>) -> Self {
        let text = form.instruction;
        let shape = text.split(['.', ' ']).find(|part| part.starts_with('m') && part.contains("n8k")).unwrap();
        let (rows, depth) = shape[1..].split_once("n8k").unwrap();
        let (rows, depth): (usize, usize) = (rows.parse().unwrap(), depth.parse().unwrap());
        let quads = text.contains("m8n8k4.") && text.contains("f16");
        let layouts: Vec<&str> = text.split('.').collect();
        let numbers: Vec<&str> = text.split(", ").collect();
        let sixteen = ["f16", "bf16"].contains(&form.operands[0].format) && form.warps == 4;
        let across = |from_end: usize| sixteen && numbers[numbers.len() - from_end] == "1";
        Self {
            form,
            rows: if quads { 32 } else { rows },
            depth,
            stored: if form.metadata.is_some() { depth / 2 } else { depth },
            across: [form.operands[0].shared && across(2), across(1)],
            quads: quads.then(|| [layouts[4] == "row", layouts[5] == "row"]),
        }
    }

    /// Returns the bit index of an element in register `r`, lane `lane` of warp `warp`.
    fn register(&self, operand: usize, warp: usize, r: usize, lane: usize, bit: usize) -> usize {
        let of = &self.form.operands[operand];
        ((warp * of.count + r) * 32 + lane) * 8 * of.size() + bit
    }

    fn a(&self, row: usize, k: usize) -> usize {
        let bits = bits(self.form.operands[0].format);
        if let Some([rows, _]) = self.quads {
            let (quad, low, row) = (row / 8, row / 4 % 2, row % 4);
            let (lane, i) = if rows { (row, k) } else { (k, row) };
            return self.register(0, 0, i / 2, 4 * quad + lane + 16 * low, i % 2 * 16);
        }
        if self.across[0] {
            return 8 * (row * 2 / 16 * 256 + k / 8 * 128 + k % 8 * 16 + row * 2 % 16);
        }
        if self.form.operands[0].shared {
            return 8 * (row / 8 * 256 + row % 8 * 16 + k * bits / 128 * 128) + k * bits % 128;
        }
        let (each, halves) = ((32 / bits).max(1), self.rows.div_ceil(8).min(2));
        let r = row / 8 % halves + halves * (k / (4 * each));
        self.register(0, row / 16, r, row % 8 * 4 + k / each % 4, k % each * bits)
    }

    /// Returns the position of an element of B. `row` selects the product if there are four.
    fn b(&self, row: usize, k: usize, column: usize) -> usize {
        let bits = bits(self.form.operands[1].format);
        if let Some([_, rows]) = self.quads {
            let (lane, i) = if rows { (k, column % 4) } else { (column % 4, k) };
            return self.register(1, 0, i / 2, 4 * (row / 8) + lane + 16 * (column / 4), i % 2 * 16);
        }
        if self.across[1] {
            return 8 * (k / 8 * 128 + k % 8 * 16 + column * 2);
        }
        if self.form.operands[1].shared {
            return 8 * (column * 16 + k * bits / 128 * 128) + k * bits % 128;
        }
        let each = (32 / bits).max(1);
        self.register(1, 0, k / (4 * each), column * 4 + k / each % 4, k % each * bits)
    }

    fn sum(&self, operand: usize, row: usize, column: usize) -> usize {
        let half = self.form.operands[operand].format == "f16";
        let (lane, i) = match self.quads {
            Some(_) => {
                let (base, row) = (row / 8 * 4 + row / 4 % 2 * 16, row % 4);
                if half {
                    (base + row, column)
                } else {
                    (base + (row & 1) + (column & 2), (row & 2) + (column & 4) + (column & 1))
                }
            }
            None => (row % 8 * 4 + column / 2, 2 * (row / 8 % 2) + column % 2),
        };
        let warp = if self.quads.is_some() { 0 } else { row / 16 };
        if half {
            self.register(operand, warp, i / 2, lane, i % 2 * 16)
        } else {
            self.register(operand, warp, i, lane, 0)
        }
    }

    /// Returns the column of element `k` in a row of a sparse A.
    fn column(&self, metadata: &[u8], row: usize, k: usize) -> usize {
        let Some(kind) = self.form.metadata else { return k };
        let selector: usize = self.form.instruction.split("E, ").nth(1).unwrap()[..1].parse().unwrap();
        let four_bits = bits(self.form.operands[0].format) == 4;
        // Number of the 4-bit chunk of metadata, and number of chunks per row.
        let (chunk, chunks) = match (kind, four_bits) {
            ("ones", _) => (k, self.stored),
            (_, true) => (k / 4, self.stored / 4),
            _ => (k / 2, self.stored / 2),
        };
        let low = row / 8 % 2;
        let (lane, nibble) = match chunks {
            4 => (selector, 4 * low + chunk),
            8 if bits(self.form.operands[0].format) > 8 => (2 * selector + chunk / 4, 4 * low + chunk % 4),
            _ => (2 * (selector + chunk / 8) + low, chunk % 8),
        };
        let word = 32 * (row / 16) + row % 8 * 4 + lane;
        let nibble = usize::from(metadata[4 * word + nibble / 2]) >> (4 * (nibble % 2)) & 15;
        match (kind, four_bits) {
            ("ones", _) => 2 * chunk + usize::from(nibble == 14),
            (_, true) => 8 * chunk + 2 * (nibble >> (2 * (k / 2 % 2)) & 3) + k % 2,
            _ => 4 * chunk + (nibble >> (2 * (k % 2)) & 3),
        }
    }
}

pub(crate) fn put(memory: &mut [u8], at: usize, bits: usize, value: u64) {
    for bit in 0..bits {
        let (byte, mask) = ((at + bit) / 8, 1 << ((at + bit) % 8));
        if value >> bit & 1 == 1 { memory[byte] |= mask } else { memory[byte] &= !mask }
    }
}

pub(crate) fn get(memory: &[u8], at: usize, bits: usize) -> u64 {
    (0..bits).fold(0, |value, bit| value | u64::from(memory[(at + bit) / 8] >> ((at + bit) % 8) & 1) << bit)
}

#[test]
fn every_form_multiplies_small_whole_numbers_exactly() {
    let mut random = Random(17);
    // `wmma` fragments have no documented layout, so their tests go through memory. Other descriptors and more
    // columns are only compared with a GPU.
    let plain = |line: &str| {
        !line.starts_with("wmma") && line.contains("n8k") && !line.contains(" 0x") && !line.ends_with("any")
    };
    for (line, form) in forms().filter(|(line, _)| plain(line)) {
        let layout = Layout::new(&form);
        let mut small = |format: &str| {
            let (low, count) = match format {
                "b1" => (0, 2),
                "u4" | "u8" => (0, 8),
                "s4" | "s8" => (-4, 9),
                _ => (-2, 5),
            };
            low + (random.bits() % count) as i64
        };
        let mut inputs = form.inputs(1, 1);
        let [of_a, of_b, of_c, of_d] = &form.operands;
        let products = layout.rows.div_ceil(8).min(if layout.quads.is_some() { 4 } else { 1 });
        let a: Vec<i64> = (0..layout.rows * layout.stored).map(|_| small(of_a.format)).collect();
        let b: Vec<i64> = (0..products * layout.depth * 8).map(|_| small(of_b.format)).collect();
        for (i, value) in a.iter().enumerate() {
            let at = layout.a(i / layout.stored, i % layout.stored);
            put(&mut inputs[0], at, bits(of_a.format), encode(of_a.format, *value));
        }
        for (i, value) in b.iter().enumerate() {
            let (product, k, column) = (i / (8 * layout.depth), i / 8 % layout.depth, i % 8);
            put(&mut inputs[1], layout.b(8 * product, k, column), bits(of_b.format), encode(of_b.format, *value));
        }
        let c: Vec<i64> = (0..layout.rows * 8)
            .map(|i| {
                let at = layout.sum(2, i / 8, i % 8);
                if matches!(of_c.format, "edge" | "s32") {
                    return i64::from(get(&inputs[2], at, 32) as i32);
                }
                let value = small(of_c.format) * 8;
                put(&mut inputs[2], at, bits(of_c.format), encode(of_c.format, value));
                value
            })
            .collect();
        let d = form.run(line, &inputs, 1);
        let negated = form.instruction.contains("-1");
        for row in 0..layout.rows {
            for column in 0..8 {
                let terms = (0..layout.stored).map(|k| {
                    let a = a[row * layout.stored + k];
                    let product = if products == 4 { row / 8 } else { 0 };
                    let place = layout.column(&inputs[3], row, k);
                    let b = b[(product * layout.depth + place) * 8 + column];
                    if form.instruction.contains("xor") { a ^ b } else { a * b }
                });
                let sum = terms.sum::<i64>();
                let before = if form.instruction.contains(", N") { 0 } else { c[row * 8 + column] };
                let mut total = before + if negated { -sum } else { sum };
                if form.instruction.contains("satfinite") {
                    total = total.clamp(i32::MIN.into(), i32::MAX.into());
                }
                let size = bits(of_d.format);
                let got = get(&d, layout.sum(3, row, column), size);
                // When rounding down, a zero sum is negative unless all terms are positive zeros.
                let zero = total == 0 && form.instruction.contains(".rm.") && got == 1 << 63;
                assert!(zero || got == encode(of_d.format, total), "{line}: row {row}, column {column}: {got:x}");
            }
        }
    }
}
