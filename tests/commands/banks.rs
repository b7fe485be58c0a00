//! `banks` with words that people would type.

use super::tutor;
use serde_json::{Value, json};

const COLUMN: &[&str] = &["banks", "smem[lane][5]", "--pitch", "16"];

#[test]
fn an_access_is_drawn_as_the_simulator_draws_it() {
    let drawn = |more: &[&str]| {
        let called = tutor(&[COLUMN, more].concat());
        assert_eq!((called.code, called.err.as_str()), (Some(0), ""));
        assert!(!called.out.contains('\u{1b}'), "no colours where there is no terminal");
        called.out
    };
    insta::assert_snapshot!("banks-column", drawn(&[]));
    insta::assert_snapshot!("banks-padded-ascii", drawn(&["--pad", "1", "--lanes", "16", "--ascii"]));
    assert!(drawn(&["--store"]).contains("store smem[lane][5]"));
}

#[test]
fn its_cost_and_the_bank_of_each_lane_are_a_document() {
    let document = |more: &[&str]| tutor(&[COLUMN, &["--json"], more].concat()).json();
    let column = document(&["--lanes", "16"]);
    assert_eq!((&column["wavefronts"], &column["ideal"]), (&json!(8), &json!(1)));
    let banks = column["bank"].as_array().unwrap();
    assert_eq!(banks.len(), 32);
    assert_eq!((&banks[0], &banks[1], &banks[2], &banks[16]), (&json!(5), &json!(21), &json!(5), &Value::Null));
    assert_eq!(document(&["--pad", "1", "--lanes", "16"])["wavefronts"], 1);
    let wide = tutor(&["banks", "buffer[lane]", "--width", "16", "--store", "--json"]).json();
    assert_eq!((&wide["op"], &wide["wavefronts"], &wide["ideal"]), (&json!("st.shared"), &json!(4), &json!(4)));
}

#[test]
fn an_access_that_is_none_is_refused_in_words() {
    for (arguments, why) in [
        (&["banks", "smem"][..], "`smem` is not an access"),
        (&["banks", "smem[lane*][5]"], "lane*"),
        (&["banks", "smem[lane][5]", "--rows", "4"], "row: In lane 4, the row is 4"),
        (&["banks", "smem[lane-3][5]"], "row: In lane 0"),
        (&["banks", "smem[warp][5]"], "Unknown name `warp`"),
        (&["banks", "smem[lane][5]", "--pitch", "-5"], "it takes a whole number from 1 to 65536"),
        (&["banks", "--pitch", "16"], "<ACCESS>"),
    ] {
        let called = tutor(arguments);
        assert_eq!((called.code, called.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(called.err.contains(why), "{arguments:?}: {}", called.err);
    }
    let refused = tutor(&["banks", "smem", "--json"]);
    assert_eq!((refused.code, &refused.json()["error"]["kind"]), (Some(2), &json!("usage")));
}

#[test]
fn without_an_access_lines_are_answered_as_ever() {
    let line = format!(
        "{}\n",
        json!({"op": "ld.shared", "bytes": 4, "addr": (0..32).map(|lane| lane * 128).collect::<Vec<u32>>()})
    );
    let output = super::shared::output_for(super::shared::program().arg("banks"), &line);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"wavefronts\":32,\"ideal\":1}\n");
}
