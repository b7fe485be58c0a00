//! Prints the report of the example `portable` in WebAssembly. `scripts/wasm-check` calls it from Node.

#[path = "portable.rs"]
mod portable;

use std::sync::Mutex;

static REPORT: Mutex<String> = Mutex::new(String::new());

/// Runs the kernels and returns the length of the report in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn run_kernels() -> usize {
    let text = portable::report().unwrap_or_else(|fault| fault.to_string());
    let length = text.len();
    if let Ok(mut report) = REPORT.lock() {
        *report = text;
    }
    length
}

/// Returns the address of the report.
#[unsafe(no_mangle)]
pub extern "C" fn report() -> *const u8 {
    REPORT.lock().map_or(std::ptr::null(), |report| report.as_ptr())
}
