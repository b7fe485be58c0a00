/*! Generates incorrect solutions: each has one small change in a hole of the solution.

The changes are typical mistakes of students: a missing barrier, `x` instead of `y`, a missing bounds check, `<=`
instead of `<`, an index that is off by one. A judge that accepts such a mutant misses the point of the exercise.
*/

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The original line, without surrounding blanks.
    pub line: String,
    pub instead: String,
    /// The whole text, with its marks.
    pub text: String,
}

/// Maximum number of mutants per solution.
pub const MAX_MUTANTS: usize = 60;

/// Returns the mutants of a solution: changes of lines inside its holes.
pub fn mutants(solution: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = solution.lines().collect();
    let mut all = Vec::new();
    // For each open mark, true if it is a hole.
    let mut open: Vec<bool> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        if text.starts_with("// [") {
            match text {
                "// [end]" => drop(open.pop()),
                mark => open.push(mark.starts_with("// [hole ")),
            }
            continue;
        }
        if !open.contains(&true) || text.starts_with("//") {
            continue;
        }
        for instead in changed(line) {
            let with: Vec<&str> = lines
                .iter()
                .enumerate()
                .map(|(other, line)| if other == at { instead.as_str() } else { line })
                .collect();
            all.push(Mutant {
                line: text.to_owned(),
                instead: instead.trim().to_owned(),
                text: with.join("\n") + "\n",
            });
        }
    }
    all.truncate(MAX_MUTANTS);
    all
}

fn changed(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    for barrier in ["__syncthreads();", "__syncwarp();"] {
        if line.contains(barrier) {
            all.push(line.replace(barrier, ""));
        }
    }
    if ["threadIdx.", "blockIdx."].iter().any(|name| line.contains(name)) {
        let swapped = line.replace("Idx.x", "Idx.\u{0}").replace("Idx.y", "Idx.x").replace("Idx.\u{0}", "Idx.y");
        all.push(swapped);
    }
    for (at, _) in line.match_indices(" < ") {
        all.push(format!("{} <= {}", &line[..at], &line[at + 3..]));
    }
    all.extend(without_a_test(line));
    for (at, _) in line.match_indices(']') {
        let plain = line[..at].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        // A declaration's extent is not an index.
        let declares = ["__shared__", "float ", "int "].iter().any(|word| line.trim_start().starts_with(word));
        if plain && !declares {
            all.push(format!("{} + 1]{}", &line[..at], &line[at + 1..]));
        }
    }
    all
}

/// Returns the line without one of the comparisons that `&&` joins.
fn without_a_test(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, _) in line.match_indices(" && ") {
        let before = line[..at].rfind(['(', '=', '&', '?']).map_or(0, |found| found + 1);
        let before = before + (line[before..at].len() - line[before..at].trim_start().len());
        let after = at + 4;
        let end = after + line[after..].find([')', '?', '&', ';']).unwrap_or(line.len() - after);
        if line[before..at].contains('<') {
            all.push(format!("{}{}", &line[..before], &line[after..]));
        }
        if line[after..end].contains('<') {
            let rest = if line[end..].starts_with('?') { " " } else { "" };
            all.push(format!("{}{rest}{}", &line[..at], &line[end..]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slip_is_made_once_where_it_can_be() {
        let solution = "\
if (out < M) return;
// [hole load]
// TODO: load, if row < M
a[y][x] = row < M && col < K ? A[row * lda + col] : 0.0f;
__syncthreads();
const int row = threadIdx.y;
// [end]
__syncthreads();
";
        let found = mutants(solution);
        let changes: Vec<(&str, &str)> =
            found.iter().map(|mutant| (mutant.line.as_str(), mutant.instead.as_str())).collect();
        let load = "a[y][x] = row < M && col < K ? A[row * lda + col] : 0.0f;";
        assert_eq!(
            changes,
            [
                (load, "a[y][x] = row <= M && col < K ? A[row * lda + col] : 0.0f;"),
                (load, "a[y][x] = row < M && col <= K ? A[row * lda + col] : 0.0f;"),
                (load, "a[y][x] = col < K ? A[row * lda + col] : 0.0f;"),
                (load, "a[y][x] = row < M ? A[row * lda + col] : 0.0f;"),
                (load, "a[y + 1][x] = row < M && col < K ? A[row * lda + col] : 0.0f;"),
                (load, "a[y][x + 1] = row < M && col < K ? A[row * lda + col] : 0.0f;"),
                (load, "a[y][x] = row < M && col < K ? A[row * lda + col + 1] : 0.0f;"),
                ("__syncthreads();", ""),
                ("const int row = threadIdx.y;", "const int row = threadIdx.x;"),
            ]
        );
        assert!(found.iter().all(|mutant| mutant.text.lines().count() == solution.lines().count()));
    }
}
