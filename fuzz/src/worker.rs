//! Checks how the tutor and the worker read each other's messages.

use super::shown;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use tutor_exec::protocol::{Reply, Request};
use tutor_exec::worker::{self, Bounds, Silence};

/// Small limits, so that the inputs reach them.
const BOUNDS: Bounds = Bounds { reply: 4000, beside: 1000 };
const MAX_REQUEST: usize = 4000;

/// Reads any bytes as the output of a worker. The replies have no forbidden characters, the other output is bounded, and the
/// result does not depend on how the bytes arrive.
pub fn replies(bytes: &[u8]) {
    let read = |stream: &mut dyn BufRead| {
        let (mut heard, mut beside) = (Vec::new(), 0);
        let take = |reply, length| {
            assert!(length <= BOUNDS.reply, "{length}");
            heard.push(reply);
            true
        };
        let silence = worker::replies(stream, BOUNDS, take, |line| beside += line.len() + 1);
        assert!(beside <= BOUNDS.beside + BOUNDS.reply + 1, "{beside}");
        (heard, beside, silence)
    };
    let (heard, beside, silence) = read(&mut &bytes[..]);
    let (again, beside_again, silence_again) = read(&mut BufReader::with_capacity(3, bytes));
    assert_eq!((beside, silence, format!("{heard:?}")), (beside_again, silence_again, format!("{again:?}")));
    for reply in &heard {
        let value = serde_json::to_value(reply).expect("a reply can be said");
        clean(&value);
        let said = serde_json::to_vec(reply).expect("a reply can be said");
        assert_eq!(kind(&Reply::read(&said).expect("a reply that was said can be read")), kind(reply));
    }
}

/// Reads any bytes as requests of a tutor. The result does not depend on how the bytes arrive, and each request survives a round trip.
pub fn requests(bytes: &[u8]) {
    let read = |stream: &mut dyn BufRead| {
        let mut taken = Vec::new();
        let silence = worker::requests(stream, MAX_REQUEST, |request| {
            taken.push(request.map_err(|error| error.to_string()));
            Ok(taken.len() < 100)
        });
        (taken, silence.expect("bytes can be read"))
    };
    let (taken, silence) = read(&mut &bytes[..]);
    assert_eq!((&taken, silence), (&read(&mut BufReader::with_capacity(3, bytes)).0, silence));
    assert!(silence == Silence::Closed || taken.last().is_some_and(Result::is_err), "{taken:?}");
    for request in taken.into_iter().flatten() {
        let said = serde_json::to_vec(&request).expect("a request can be said");
        // An infinite factor becomes null in JSON. It is refused before it is sent.
        let finite = !matches!(&request, Request::Launch(it) if !(it.alpha.is_finite() && it.beta.is_finite()));
        let again: Option<Request> = serde_json::from_slice(&said).ok();
        assert!(again.is_some() || !finite, "{request:?}");
    }
}

fn kind(reply: &Reply) -> std::mem::Discriminant<Reply> {
    std::mem::discriminant(reply)
}

fn clean(value: &Value) {
    match value {
        Value::String(text) => shown(text),
        Value::Array(values) => values.iter().for_each(clean),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            shown(name);
            clean(value);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
