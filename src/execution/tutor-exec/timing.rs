/*! Statistics of repeated times: median, its confidence interval, outliers.

Times of a kernel are skewed (they have a minimum and a long tail), so nothing here assumes a normal distribution. The
interval of the median comes from the order statistics: the number of samples below the true median is Binomial(n, ½),
whatever the distribution (W. J. Conover, *Practical Nonparametric Statistics*, 3rd ed., §3.2; J.-Y. Le Boudec,
*Performance Evaluation of Computer and Communication Systems*, §2.2).
*/

use super::protocol::Timing;

/// Maximum probability that the interval does not contain the median.
const MISS: f64 = 0.05;
/// Modified z-score above which a sample is an outlier (Iglewicz & Hoaglin, *How to Detect and Handle Outliers*, 1993).
const OUTLIER_SCORE: f64 = 3.5;
/// Minimum number of samples for a 95 % interval. With fewer samples, even the whole range misses the median too often.
pub const FEWEST: usize = 6;

/// Batches of one subject, each with its mean time per launch.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    /// Times in ms, ascending.
    sorted_ms: Vec<f64>,
    launches: u64,
}

impl Samples {
    /// Adds a batch of `launches` launches that took `ms` milliseconds each. Ignores a time that is not a positive
    /// number.
    pub fn push(&mut self, ms: f64, launches: u32) {
        if ms.is_finite() && ms > 0.0 {
            let at = self.sorted_ms.partition_point(|&known| known < ms);
            self.sorted_ms.insert(at, ms);
            self.launches += u64::from(launches);
        }
    }

    pub fn batches(&self) -> usize {
        self.sorted_ms.len()
    }

    /// Returns the median with its 95 % interval, or the whole range with fewer than [`FEWEST`] batches. Returns `None`
    /// without samples.
    pub fn timing(&self) -> Option<Timing> {
        let sorted = &self.sorted_ms;
        let last = sorted.len().checked_sub(1)?;
        let below = interval_rank(sorted.len()).unwrap_or(0);
        Some(Timing {
            median_ms: median(sorted)?,
            low_ms: *sorted.get(below)?,
            high_ms: *sorted.get(last - below)?,
            launches: self.launches,
            ..Timing::default()
        })
    }

    /// True if both ends of the 95 % interval differ from the median by at most `part` of it.
    pub fn settled(&self, part: f64) -> bool {
        self.batches() >= FEWEST
            && self.timing().is_some_and(|t| {
                t.high_ms - t.median_ms <= part * t.median_ms && t.median_ms - t.low_ms <= part * t.median_ms
            })
    }

    /// Counts batches whose modified z-score exceeds 3.5. Something else used the GPU, or the clock changed.
    pub fn outliers(&self) -> usize {
        let Some(centre) = median(&self.sorted_ms) else { return 0 };
        let mut distances: Vec<f64> = self.sorted_ms.iter().map(|ms| (ms - centre).abs()).collect();
        distances.sort_by(f64::total_cmp);
        // 0.6745 is the upper quartile of the normal distribution. With this factor, the score is a z-score for normal
        // data.
        let Some(spread) = median(&distances).filter(|spread| *spread > 0.0) else { return 0 };
        distances.iter().filter(|distance| 0.6745 * **distance / spread > OUTLIER_SCORE).count()
    }
}

fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    if sorted.len() % 2 == 1 { Some(upper) } else { Some((sorted.get(half - 1)? + upper) / 2.0) }
}

/// Returns how many samples are outside the interval at each end. If `r` is the largest rank with
/// `2·P(Binomial(n, ½) ≤ r − 1) ≤ 5 %`, this is `r − 1`.
///
/// Returns `None` if even the whole range (`r = 1`, which leaves out nothing) does not reach 95 %.
fn interval_rank(n: usize) -> Option<usize> {
    // P(X = 0) = 2^-n underflows for more than about a thousand samples. There the normal approximation is exact
    // enough.
    if n > 1000 {
        let n = n as f64;
        return Some(((n - 1.96 * n.sqrt()) / 2.0).floor() as usize - 1);
    }
    let mut probability = 0.5f64.powi(n as i32);
    let mut tail = probability;
    let mut rank = 0;
    while 2.0 * tail <= MISS {
        rank += 1;
        probability *= (n - rank + 1) as f64 / rank as f64;
        tail += probability;
    }
    // `rank` counts from 1, and indices count from 0.
    rank.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

    fn samples(ms: impl IntoIterator<Item = f64>) -> Samples {
        let mut samples = Samples::default();
        ms.into_iter().for_each(|ms| samples.push(ms, 10));
        samples
    }

    #[test]
    fn the_ranks_are_those_of_the_published_table() {
        // Le Boudec, table A.1 (95 %): n and rank j, counted from 1.
        for (n, rank) in [(6, 1), (8, 1), (9, 2), (20, 6), (30, 10), (50, 18), (70, 27)] {
            assert_eq!(interval_rank(n), Some(rank - 1), "n = {n}");
        }
        assert_eq!(interval_rank(5), None);
        let approximate = interval_rank(1001).unwrap().abs_diff(interval_rank(1000).unwrap());
        assert!(approximate <= 1, "the two methods meet");
    }

    #[test]
    fn the_median_does_not_care_about_order_or_a_stray() {
        let timing = samples([3.0, 1.0, 2.0, 2.0, 1000.0, 2.0, 2.0]).timing().unwrap();
        assert_eq!(timing.median_ms, 2.0);
        assert_eq!(timing.launches, 70);
        assert_eq!(samples([1.0, 2.0]).timing().unwrap().median_ms, 1.5);
        assert!(samples([]).timing().is_none());
    }

    #[test]
    fn settled_needs_a_narrow_interval_and_enough_batches() {
        assert!(!samples([1.0; 5]).settled(0.01), "too few");
        assert!(samples([1.0; 6]).settled(0.01));
        assert!(!samples((0..20).map(|i| 1.0 + f64::from(i) * 0.01)).settled(0.01));
        assert!(samples((0..20).map(|i| 1.0 + f64::from(i) * 0.001)).settled(0.01));
    }

    #[test]
    fn an_outlier_is_counted_by_its_modified_z_score() {
        assert_eq!(samples((0..20).map(|i| 1.0 + f64::from(i) * 0.001)).outliers(), 0);
        assert_eq!(samples((0..20).map(|i| 1.0 + f64::from(i) * 0.001).chain([5.0])).outliers(), 1);
        assert_eq!(samples([1.0; 9]).outliers(), 0);
    }

    #[test]
    fn a_time_that_is_no_time_is_left_out() {
        assert_eq!(samples([f64::NAN, -1.0, 0.0, f64::INFINITY]).batches(), 0);
    }

    #[test]
    fn the_interval_holds_the_true_median_about_as_often_as_promised() {
        // Uniform on (0, 1), so the true median is ½. The seed is fixed, so that the test always has the same result.
        let mut generator = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut uniform = move || f64::from(generator.next_u32()) / 2.0f64.powi(32);
        let trials = 20_000;
        let held = (0..trials)
            .filter(|_| {
                let timing = samples((0..25).map(|_| uniform())).timing().unwrap();
                (timing.low_ms..=timing.high_ms).contains(&0.5)
            })
            .count();
        // Exactly 1 − 2·P(Binomial(25, ½) ≤ 7) = 95.7 %.
        let part = f64::from(held as u32) / f64::from(trials);
        assert!((0.952..=0.962).contains(&part), "{part}");
    }
}
