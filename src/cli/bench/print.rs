//! The ladder as a table, one for each element type.

use crate::cli::output;
use crate::exec::recorded::Recording;
use crate::exec::{cublas_math, cublas_name};
use crate::figures::{percent, speed};
use crate::kernels::{Elements, Kernel};

/// Prints GFLOP/s and shares of cuBLAS.
pub(super) fn print(recording: &Recording, kernels: &[Kernel], sizes: &[u32]) -> std::io::Result<()> {
    let cublas = recording.cublas_version.as_deref().unwrap_or("not there");
    output::line(format_args!(
        "{}, driver {}, CUDA {}, cuBLAS {cublas}; GFLOP/s of the median, share of cuBLAS",
        recording.device, recording.driver, recording.cuda
    ))?;
    for elements in Elements::ALL {
        let of_type: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.elements == elements).collect();
        if !of_type.is_empty() {
            group(recording, elements, &of_type, sizes)?;
        }
    }
    for left in &recording.left_out {
        output::line(format_args!("not timed: {} at n = {}: {}", left.kernel, left.n, left.why))?;
    }
    Ok(())
}

fn group(recording: &Recording, elements: Elements, kernels: &[&Kernel], sizes: &[u32]) -> std::io::Result<()> {
    output::line(format_args!("\n{elements}; cuBLAS is {}", cublas_math(elements)))?;
    let widest = kernels.iter().map(|kernel| kernel.id.len()).max().unwrap_or(0).max(12);
    let line = |name: &str, cell: &dyn Fn(u32) -> String| {
        let cells: String = sizes.iter().map(|&n| format!("{:>16}", cell(n))).collect();
        output::line(format_args!("{}", format!("{name:widest$}{cells}").trim_end()))
    };
    line("", &|n| format!("n = {n}"))?;
    line(cublas_name(elements), &|n| {
        recording.cublas_at(n, elements).map_or_else(String::new, |time| speed(time.gflops) + "        ")
    })?;
    for kernel in kernels {
        let wrong = recording.rows.iter().any(|row| row.kernel == kernel.id && row.mismatches > 0);
        let name = if wrong { format!("{} wrong", kernel.id) } else { kernel.id.clone() };
        line(&name, &|n| {
            let Some(row) = recording.row(&kernel.id, n) else { return "–        ".to_owned() };
            let share = recording.share_of_cublas(&kernel.id, n).map_or_else(String::new, percent);
            format!("{}{share:>8}", speed(row.time.gflops))
        })?;
    }
    let seen = |n: u32| recording.conditions.iter().find(|seen| seen.n == n && seen.elements == elements);
    if sizes.iter().any(|n| seen(*n).is_some()) {
        let range = |[low, _, high]: [u32; 3]| if low == high { low.to_string() } else { format!("{low}–{high}") };
        line("SM clock, MHz", &|n| seen(n).map_or_else(String::new, |seen| range(seen.seen.sm_mhz)))?;
        line("power, W", &|n| {
            seen(n).map_or_else(String::new, |seen| range(seen.seen.watts.map(|watts| watts.round() as u32)))
        })?;
    }
    Ok(())
}
