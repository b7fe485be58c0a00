//! Mutates PTX by tokens, statements and lines. Random changes of bytes seldom pass the lexer.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Parts of the opcodes that the emulator runs. The mutator replaces one by another.
static MODIFIERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words: BTreeSet<String> = ptx_emulator::forms().iter().flat_map(|form| form.words()).collect();
    words.into_iter().collect()
});

/// Numbers at the limits of types and ranges.
static NUMBERS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "0 1 2 3 4 7 8 15 16 31 32 33 63 64 127 128 255 256 1023 1024 4095 32764 65535 65536 1048575 1048576 \
    2147483647 2147483648 4294967295 4294967296 9223372036854775807 18446744073709551615 0x80000000 \
    0xffffffffffffffff 0f7fc00000 0f7f800000 0f00000001 0d7ff0000000000000 0d8000000000000000 1e400 077 \
    0b11 1U"
        .split(' ')
        .collect()
});

/// Statements that have an effect at any position.
const STATEMENTS: &[&str] = &[
    "ret;",
    "exit;",
    "trap;",
    "bar.sync 0;",
    "barrier.sync 1, 32;",
    "bar.arrive 1, 64;",
    "bar.warp.sync 0xffffffff;",
    "membar.gl;",
    "L9: bra L9;",
    "bra L9;",
    "L8:",
    "@%p1 bra L8;",
    "@!%p1 bra.uni L8;",
    "brx.idx %r1, T;",
    "T: .branchtargets L8, L9;",
    "mov.u32 %r1, %tid.x;",
    "mov.u32 %r2, %laneid;",
    "setp.lt.u32 %p1, %r2, 7;",
    "setp.ne.and.s32 %p1|%p2, %r1, %r2, %p1;",
    "ld.param.u64 %rd1, [a];",
    "cvta.to.global.u64 %rd1, %rd1;",
    "mad.wide.u32 %rd1, %r1, 4, %rd1;",
    "ld.global.u32 %r3, [%rd1];",
    "st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};",
    "ld.global.nc.v2.u32 {%r1, %r2}, [%rd1+8];",
    "st.shared.u32 [%r1], %r2;",
    "ld.shared.u8 %r4, [room+3];",
    "atom.shared.add.u32 %r1, [room], 1;",
    "atom.global.cas.b32 %r1, [%rd1], 0, 1;",
    "red.global.add.f32 [%rd1], %f1;",
    "shfl.sync.bfly.b32 %r3|%p1, %r2, 1, 31, -1;",
    "vote.sync.ballot.b32 %r1, %p1, -1;",
    "match.any.sync.b32 %r1, %r2, -1;",
    "redux.sync.add.u32 %r1, %r2, -1;",
    "activemask.b32 %r1;",
    "elect.sync %r1|%p1, -1;",
    "cp.async.ca.shared.global [room], [%rd1], 4;",
    "cp.async.commit_group;",
    "cp.async.wait_group 0;",
    "mbarrier.init.shared.b64 [room], 1;",
    "mbarrier.arrive.shared.b64 %rd2, [room];",
    "mbarrier.arrive.expect_tx.shared.b64 _, [room], 64;",
    "mbarrier.try_wait.parity.shared.b64 %p1, [room], 0;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [room], [%rd1], 64, [room];",
    "fence.proxy.async;",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [room];",
    "fma.rn.f32 %f1, %f2, %f3, %f1;",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};",
    "wgmma.fence.sync.aligned;",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0;",
    "call (%r1), f, (%r2);",
    "call.uni f;",
    "add.cc.u32 %r1, %r2, %r3;",
    "addc.u32 %r1, %r2, %r3;",
    "{ .reg .b32 %t<4>;",
    "}",
    ".reg .b32 %r<99>;",
    ".shared .align 16 .b8 more[64];",
    ".local .align 8 .b8 mine[64];",
    ".loc 1 7 3, function_name $L__info0, inlined_at 1 9 2",
    "mapa.shared::cluster.u32 %r1, room, 0;",
    "barrier.cluster.arrive.aligned;",
    "barrier.cluster.wait.aligned;",
    "nanosleep.u32 20;",
    "isspacep.shared %p1, %rd1;",
    "prmt.b32 %r1, %r2, %r3, %r4;",
    "lop3.b32 %r1, %r2, %r3, %r4, 0x96;",
    "cvt.rn.f16x2.f32 %r1, %f1, %f2;",
    "selp.b32 %r1, 1, %r2, %p1;",
];

/// A generator of random choices (SplitMix64).
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count.max(1) as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

type Range = std::ops::Range<usize>;

/// Returns the words: letters, digits and `_ $ % .`.
fn words(text: &[u8]) -> Vec<Range> {
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.');
    pieces(text, |text, at| inside(text[at]))
}

/// Returns the maximal ranges of bytes for which `inside` is true.
fn pieces(text: &[u8], inside: impl Fn(&[u8], usize) -> bool) -> Vec<Range> {
    let mut all: Vec<Range> = Vec::new();
    for at in (0..text.len()).filter(|at| inside(text, *at)) {
        match all.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => all.push(at..at + 1),
        }
    }
    all
}

/// Returns the statements, each with the semicolon or line feed that ends it.
fn statements(text: &[u8]) -> Vec<Range> {
    let mut all = Vec::new();
    let mut start = 0;
    for (at, byte) in text.iter().enumerate() {
        if matches!(byte, b';' | b'\n') {
            all.push(start..at + 1);
            start = at + 1;
        }
    }
    all.push(start..text.len());
    all
}

/// Returns the class of a word. The mutator replaces a word only by one of its class: a number by a number, a register by a
/// register.
fn kind(word: &[u8]) -> u8 {
    match word[0] {
        b'0'..=b'9' => b'0',
        byte @ (b'%' | b'.' | b'$') => byte,
        _ => b'a',
    }
}

/// Changes `data[..size]` in place and returns its new length, at most `most`.
pub fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut choices = Choices(seed.into());
    let mut text = data[..size].to_vec();
    for _ in 0..=choices.below(4) {
        once(&mut text, &mut choices);
    }
    store(&text, data, most)
}

/// Inserts some statements of the second text into the first.
pub fn cross(first: &[u8], second: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut choices = Choices(seed.into());
    let (into, from) = (statements(first), statements(second));
    let start = choices.below(from.len());
    let end = (start + 1 + choices.below(12)).min(from.len());
    let at = into[choices.below(into.len())].start;
    let text = [&first[..at], &second[from[start].start..from[end - 1].end], &first[at..]].concat();
    let most = out.len();
    store(&text, out, most)
}

fn store(text: &[u8], data: &mut [u8], most: usize) -> usize {
    let size = text.len().min(most).min(data.len());
    data[..size].copy_from_slice(&text[..size]);
    size
}

fn once(text: &mut Vec<u8>, choices: &mut Choices) {
    let (words, statements) = (words(text), statements(text));
    let one = |choices: &mut Choices, of: &[Range]| of.get(choices.below(of.len())).cloned().unwrap_or(0..0);
    let word = one(choices, &words);
    let statement = one(choices, &statements);
    let (at, new): (Range, Vec<u8>) = match choices.below(12) {
        // Replaces the word by another one of the text and of the same class.
        0..=2 if !words.is_empty() => {
            let like: Vec<Range> =
                words.iter().filter(|w| kind(&text[w.start..]) == kind(&text[word.start..])).cloned().collect();
            let new = text[one(choices, &like)].to_vec();
            (word, new)
        }
        // Adds, removes or replaces a part of an opcode.
        3..=5 if !words.is_empty() => {
            let dots: Vec<Range> = pieces(&text[word.clone()], |word, at| word[at] != b'.');
            let part = one(choices, &dots);
            let part = word.start + part.start..word.start + part.end;
            let new = MODIFIERS[choices.below(MODIFIERS.len())].as_bytes().to_vec();
            match choices.below(6) {
                0 => (part.end..part.end, [b".", &new[..]].concat()),
                1 if part.start > word.start => (part.start - 1..part.end, Vec::new()),
                _ => (part, new),
            }
        }
        // Replaces a number.
        6 => {
            let numbers: Vec<Range> = pieces(text, |text, at| text[at].is_ascii_digit());
            (one(choices, &numbers), choices.of(&NUMBERS).as_bytes().to_vec())
        }
        // Removes statements or repeats them.
        7 => (statement, Vec::new()),
        8 => {
            let other = one(choices, &statements);
            (statement.start..statement.start, text[other].to_vec())
        }
        9 => {
            let last = (choices.below(statements.len()) + 8).min(statements.len() - 1);
            let many = statement.start..statements[last].end.max(statement.start);
            if choices.below(2) == 0 { (many, Vec::new()) } else { (many.end..many.end, text[many].to_vec()) }
        }
        // Inserts a new statement.
        10 => (statement.start..statement.start, format!("{}\n", choices.of(STATEMENTS)).into_bytes()),
        // Adds an operand, a guard or a sign, or removes an operand.
        _ => match choices.below(4) {
            0 => (word.end..word.end, b", %r1".to_vec()),
            1 => (statement.start..statement.start, b"@%p1 ".to_vec()),
            2 => (word, b"_".to_vec()),
            _ => (word.start..word.start, b"-".to_vec()),
        },
    };
    text.splice(at, new);
}
