//! Costs of warp-wide accesses: reads JSON lines and prints JSON lines.

use crate::prelude::*;
use ptx_emulator::cost::{self, Direction, WARP};
use serde::Deserialize;
use std::io::{self, BufRead, Read};

/// Longest line read: 32 addresses of 20 digits fit many times over.
const MAX_LINE: u64 = 64 * 1024;

#[derive(Deserialize)]
struct Access {
    op: Op,
    bytes: u32,
    #[serde(default = "all_lanes")]
    mask: u32,
    addr: [u64; WARP],
}

fn all_lanes() -> u32 {
    u32::MAX
}

#[derive(Clone, Copy, Deserialize)]
enum Op {
    #[serde(rename = "ld.shared")]
    LoadShared,
    #[serde(rename = "st.shared")]
    StoreShared,
    #[serde(rename = "ld.global")]
    LoadGlobal,
    #[serde(rename = "st.global")]
    StoreGlobal,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Answer {
    Shared { wavefronts: u32, ideal: u32 },
    Global { sectors: u32, ideal: u32 },
    Bad { error: String },
}

/// Prints one line for each line of standard input.
pub(super) fn answer_all() -> anyhow::Result<Exit> {
    let mut input = io::stdin().lock();
    let mut exit = Exit::Done;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(exit);
        }
        let too_long = line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n');
        if too_long {
            input.skip_until(b'\n')?;
        }
        let answer = if too_long {
            Err(t!("cli-banks-line-long", most = MAX_LINE))
        } else if line.trim_ascii().is_empty() {
            continue;
        } else {
            answer(&line)
        };
        let answer = answer.unwrap_or_else(|error| {
            exit = Exit::Failed;
            Answer::Bad { error }
        });
        output::json(&answer)?;
    }
}

fn answer(line: &[u8]) -> Result<Answer, String> {
    let Access { op, bytes, mask, addr } = serde_json::from_slice(line)
        .map_err(|error| t!("cli-banks-line-broken", why = tutor_support::text::without_types(&error.to_string())))?;
    if ![4, 8, 16].contains(&bytes) {
        return Err(t!("cli-banks-line-bytes", bytes));
    }
    let active = |lane: &usize| mask >> lane & 1 == 1;
    if let Some(lane) = (0..WARP).filter(active).find(|&lane| addr[lane] % u64::from(bytes) != 0) {
        return Err(t!("cli-banks-line-address", lane, address = addr[lane].to_string(), bytes));
    }
    let direction = match op {
        Op::LoadShared | Op::LoadGlobal => Direction::Load,
        Op::StoreShared | Op::StoreGlobal => Direction::Store,
    };
    Ok(match op {
        Op::LoadGlobal | Op::StoreGlobal => Answer::Global {
            sectors: cost::global_sectors(bytes, mask, &addr),
            ideal: cost::global_ideal(bytes, mask, &addr),
        },
        Op::LoadShared | Op::StoreShared => {
            let mut shared = [0u32; WARP];
            for lane in (0..WARP).filter(active) {
                shared[lane] = u32::try_from(addr[lane])
                    .ok()
                    .filter(|&address| address < 1 << 30)
                    .ok_or_else(|| t!("cli-banks-line-beyond", lane, address = addr[lane].to_string()))?;
            }
            Answer::Shared {
                wavefronts: cost::shared_wavefronts(direction, bytes, mask, &shared),
                ideal: cost::shared_ideal(direction, bytes, mask, &shared),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(op: &str, bytes: u32, addr: impl Fn(u64) -> u64) -> Result<Answer, String> {
        let addr: Vec<u64> = (0..32).map(addr).collect();
        answer(format!(r#"{{"op":"{op}","bytes":{bytes},"mask":4294967295,"addr":{addr:?}}}"#).as_bytes())
    }

    #[test]
    fn a_column_of_32_conflicts_32_ways() {
        let column = ask("ld.shared", 4, |lane| lane * 128);
        assert_eq!(column, Ok(Answer::Shared { wavefronts: 32, ideal: 1 }));
    }

    #[test]
    fn a_row_of_floats_is_four_sectors() {
        assert_eq!(ask("ld.global", 4, |lane| lane * 4), Ok(Answer::Global { sectors: 4, ideal: 4 }));
        assert_eq!(ask("st.global", 4, |lane| lane * 4096), Ok(Answer::Global { sectors: 32, ideal: 4 }));
    }

    #[test]
    fn what_cannot_be_an_access_is_told() {
        assert!(ask("ld.shared", 3, |_| 0).is_err());
        assert!(ask("ld.shared", 8, |lane| lane * 4).is_err());
        assert!(ask("ld.shared", 4, |_| 1 << 40).is_err());
        assert!(ask("ld.global", 16, |_| u64::MAX - 15).is_ok());
        assert!(answer(b"{").is_err());
        assert!(answer(br#"{"op":"ld.shared","bytes":4,"mask":1,"addr":[0]}"#).is_err());
    }
}
