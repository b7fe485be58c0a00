//! Arithmetic intensity compared with what a device can compute and move.

use tutor_exec::recorded::Limits;

/// A device's roof: its measured maximum rates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Roof {
    /// The device's name, e.g. `NVIDIA H200`.
    pub(crate) device: String,
    /// Driver and month of the two measurements.
    pub(crate) driver: String,
    pub(crate) date: String,
    /// Rate of FP32 multiply-adds alone, in GFLOP/s.
    pub(crate) gflops: f64,
    /// Rate of a device-wide copy, in GB/s, reads and writes together.
    pub(crate) gbytes: f64,
}

impl Roof {
    /// Returns the devices with measured limits.
    pub(crate) fn built_in() -> Vec<Self> {
        let roof = |limits: Limits| Self {
            driver: limits.driver,
            date: limits.date,
            device: limits.device,
            gflops: limits.fma_gflops,
            gbytes: limits.copy_gbytes,
        };
        Limits::built_in().into_iter().map(roof).collect()
    }

    /// Returns the intensity at which both limits meet, in FLOP per byte.
    pub(crate) fn balance(&self) -> f64 {
        self.gflops / self.gbytes
    }

    /// Returns the maximum GFLOP/s at an intensity.
    pub(crate) fn at(&self, intensity: f64) -> f64 {
        (intensity * self.gbytes).min(self.gflops)
    }
}

/// A kernel on the plot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) name: String,
    /// FLOP per byte that loads and stores request from global memory, once counted.
    pub(crate) intensity: Option<f64>,
    /// The speed, if a time was measured or recorded.
    pub(crate) speed: Option<Speed>,
}

/// A speed and its source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Speed {
    pub(crate) gflops: f64,
    /// True if it was measured now, false if it was recorded.
    pub(crate) live: bool,
}

/// A point's position under the roof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Left of the balance point: memory limits the kernel.
    Memory,
    /// Right of the balance point: arithmetic limits the kernel.
    Compute,
    /// Above the memory roof: caches answer most requests.
    Caches,
}

impl Point {
    pub(crate) fn limit(&self, roof: &Roof) -> Option<Limit> {
        let intensity = self.intensity?;
        Some(match self.speed {
            Some(speed) if speed.gflops > roof.at(intensity) && intensity < roof.balance() => Limit::Caches,
            _ if intensity < roof.balance() => Limit::Memory,
            _ => Limit::Compute,
        })
    }
}

/// The ranges of the logarithmic axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axes {
    /// Intensities at the left and right edge, in FLOP per byte.
    pub(crate) x: (f64, f64),
    /// Speeds at the bottom and top edge, in GFLOP/s.
    pub(crate) y: (f64, f64),
}

impl Axes {
    /// Returns axes that contain the roof's balance point and all points, with a margin.
    pub(crate) fn around(roof: &Roof, points: &[Point]) -> Self {
        let xs = points.iter().filter_map(|point| point.intensity).chain([roof.balance()]);
        let ys = points.iter().filter_map(|point| point.speed.map(|speed| speed.gflops)).chain([roof.gflops]);
        let ys = ys.chain(points.iter().filter_map(|point| point.intensity.map(|x| roof.at(x))));
        Self { x: bounds(xs, 2.0, 4.0), y: bounds(ys, 1.6, 1.6) }
    }

    /// Returns the position of `value` within `range` on a logarithmic scale, from 0 to 1.
    pub(crate) fn place(range: (f64, f64), value: f64) -> f64 {
        ((value / range.0).ln() / (range.1 / range.0).ln()).clamp(0.0, 1.0)
    }

    /// Returns the value at a position; the inverse of [`Axes::place`].
    pub(crate) fn value(range: (f64, f64), place: f64) -> f64 {
        range.0 * (range.1 / range.0).powf(place)
    }
}

fn bounds(values: impl Iterator<Item = f64>, below: f64, above: f64) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite() && *value > 0.0)
        .fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    if low.is_finite() { (low / below, high * above) } else { (0.1, 100.0) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn h200() -> Roof {
        Roof {
            device: "NVIDIA H200".into(),
            driver: "580.1".into(),
            date: "2026-11".into(),
            gflops: 65_100.0,
            gbytes: 4290.0,
        }
    }

    pub(crate) fn point(name: &str, intensity: f64, gflops: Option<f64>) -> Point {
        let speed = gflops.map(|gflops| Speed { gflops, live: false });
        Point { name: name.to_owned(), intensity: Some(intensity), speed }
    }

    #[test]
    fn the_measured_limits_can_be_read() {
        let all = Roof::built_in();
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].device.as_str(), all[0].gflops, all[0].gbytes), ("NVIDIA H200", 65_100.0, 4290.0));
    }

    #[test]
    fn a_kernel_faster_than_memory_is_fed_by_caches() {
        let roof = h200();
        assert_eq!(point("naive", 0.25, Some(6268.0)).limit(&roof), Some(Limit::Caches));
        assert_eq!(point("naive", 0.25, None).limit(&roof), Some(Limit::Memory));
        assert_eq!(point("tiled", 4.0, Some(8074.0)).limit(&roof), Some(Limit::Memory));
        assert_eq!(point("blocked", 32.0, Some(20_000.0)).limit(&roof), Some(Limit::Compute));
    }

    #[test]
    fn axes_hold_all_that_is_drawn_and_scale_logarithmically() {
        let points = [point("naive", 0.25, Some(474.0)), point("tiled", 4.0, Some(8074.0))];
        let axes = Axes::around(&h200(), &points);
        assert!(axes.x.0 < 0.25 && axes.x.1 > 15.2 && axes.y.0 < 474.0 && axes.y.1 > 65_100.0);
        assert!((Axes::place((1.0, 100.0), 10.0) - 0.5).abs() < 1e-12);
        assert!((Axes::value((1.0, 100.0), 0.5) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn axes_exist_even_if_nothing_is_known() {
        let roof = Roof { gflops: 0.0, gbytes: 0.0, ..h200() };
        let axes = Axes::around(&roof, &[]);
        assert!(axes.x.0 > 0.0 && axes.x.1 > axes.x.0 && axes.y.1 > axes.y.0);
    }
}
