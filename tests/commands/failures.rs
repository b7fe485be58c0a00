//! A call that fails with `--json` prints one document, and a wrong number is refused in words.

use super::tutor;
use serde_json::Value;

#[test]
fn a_failure_is_a_document_where_documents_were_asked_for() {
    for (arguments, code, kind) in [
        (&["run", "sgem_tiled", "--json"][..], 2, "invalid"),
        (&["run", "sgemm_tiled", "--on", "cuda", "--size", "-5", "--json"], 2, "usage"),
        (&["status", "--course", "/nonexistent", "--json"], 2, "usage"),
        (&["tune", "nobody", "--json"], 2, "usage"),
        (&["status", "--lang", "xx", "--json"], 2, "usage"),
    ] {
        let called = tutor(arguments);
        assert_eq!(called.code, Some(code), "{arguments:?}: {}", called.err);
        let document = called.json();
        assert_eq!(
            (&document["ok"], &document["error"]["kind"]),
            (&Value::Bool(false), &Value::from(kind)),
            "{document}"
        );
        let error = document["error"].as_object().unwrap();
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{document}");
        for field in ["help", "file", "line", "column"] {
            assert!(error.contains_key(field), "{field}: {document}");
        }
    }
}

#[test]
fn a_size_that_is_none_is_refused_in_words() {
    for arguments in [
        &["run", "sgemm_tiled", "--size", "-5"][..],
        &["run", "sgemm_tiled", "--m", "0", "--n", "1", "--k", "1"],
        &["bench", "--size", "-5"],
        &["tune", "sgemm_sweep", "--size", "1.5"],
    ] {
        let called = tutor(arguments);
        assert_eq!(called.code, Some(2), "{arguments:?}");
        assert!(called.err.contains("it takes a whole number, 1 or more"), "{}", called.err);
    }
}
