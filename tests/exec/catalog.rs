//! Catalogues of a course's own, good and bad.

use matmul_tutor::kernels::Catalog;
use std::path::Path;

const GOOD: &str = "\
kernels:
  - id: mine
    level: one-thread
    title: my kernel
    file: mine.cu
    entry: mine
    block: [16, 16, 1]
    grid: [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\"]
    min_arch: sm_75
    expected_wrong: false
    about: One sentence.
";

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn course(catalog: &str, source: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "kernels/catalog.yaml", catalog);
    write(root.path(), "kernels/mine.cu", source);
    root
}

#[test]
fn a_directorys_own_catalogue_is_read_with_its_ptx() {
    let root = course(GOOD, "// [region all]\nint x;\n// [end]\n");
    assert!(Catalog::is_in(root.path()));
    let (catalog, problems) = Catalog::from_directory(root.path());
    assert_eq!(problems, []);
    let kernel = catalog.kernel("mine").unwrap();
    assert!(kernel.ptx.is_none());
    assert_eq!(kernel.geometry(17, 16, 1).unwrap().grid, [1, 2, 1]);
    assert_eq!(kernel.min_arch(), "sm_75");
    write(root.path(), "assets/ptx/mine.ptx", ".version 8.0\n");
    let (catalog, _) = Catalog::from_directory(root.path());
    assert_eq!(catalog.kernel("mine").unwrap().ptx.as_deref(), Some(".version 8.0\n"));
}

#[test]
fn every_mistake_is_told_with_its_line() {
    for (from, to, line, part) in [
        ("id: mine", "id: Mine", 2, "no kernel id"),
        ("entry: mine", "entry: \"mine()\"", 6, "no name of a function"),
        ("[16, 16, 1]", "[64, 64, 1]", 7, "at most 1024 threads"),
        ("[16, 16, 1]", "[16, 16]", 7, ""),
        ("ceil_div(M, 16)", "ceil_div(Q, 16)", 8, "names `Q`"),
        ("ceil_div(M, 16)", "1 +", 8, "found the end"),
        ("sm_75", "turing", 9, "no architecture"),
        ("expected_wrong: false", "expected_wrong: false\n    hazard: RAW", 11, "expected to be right"),
        ("expected_wrong: false", "expected_wrong: maybe", 10, ""),
        ("file: mine.cu", "file: ../mine.cu", 5, "no name of a kernel file"),
        ("file: mine.cu", "file: yours.cu", 5, "is not there"),
        ("about:", "wrong: 1\n    about:", 11, "wrong"),
        ("    min_arch: sm_75\n", "", 10, "min_arch"),
        ("title: my kernel", "title: \"my \\u001b[31m kernel\"", 2, "control character"),
    ] {
        let (catalog, problems) = {
            let root = course(&GOOD.replace(from, to), "");
            Catalog::from_directory(root.path())
        };
        assert_eq!(problems.len(), 1, "{to}: {problems:?}");
        let problem = &problems[0];
        assert!(problem.message.contains(part), "{to}: {}", problem.message);
        assert_eq!(problem.file, "kernels/catalog.yaml");
        assert_eq!(problem.line, line, "{to}: {problem}");
        assert!(problem.column > 0 && !problem.message.contains('\u{1b}'), "{to}: {problem:?}");
        assert!(catalog.kernels().is_empty(), "{to}");
    }
}

#[test]
fn a_broken_kernel_does_not_hide_the_others() {
    let twice = format!("{GOOD}{}", GOOD.trim_start_matches("kernels:\n"));
    let root = course(&twice, "");
    let (catalog, problems) = Catalog::from_directory(root.path());
    assert_eq!(catalog.kernels().len(), 1);
    assert!(problems[0].message.contains("two kernels `mine`"), "{problems:?}");
}

#[test]
fn a_fault_in_a_source_is_told_with_its_own_file_and_line() {
    let root = course(GOOD, "int a;\n// [region x]\n");
    let (_, problems) = Catalog::from_directory(root.path());
    assert_eq!((problems[0].file.as_str(), problems[0].line), ("kernels/mine.cu", 2));
}

#[test]
#[cfg(unix)]
fn a_link_out_of_the_course_is_not_followed() {
    let root = course(GOOD, "");
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::remove_file(root.path().join("kernels/mine.cu")).unwrap();
    std::os::unix::fs::symlink(secret.path(), root.path().join("kernels/mine.cu")).unwrap();
    let (_, problems) = Catalog::from_directory(root.path());
    assert!(problems[0].message.contains("leaves the course"), "{problems:?}");
}

#[test]
fn no_catalogue_and_broken_yaml_are_problems_and_no_panic() {
    let root = tempfile::tempdir().unwrap();
    assert!(Catalog::from_directory(root.path()).1[0].message.contains("is not there"));
    for text in ["", "kernels", "kernels: [", "kernels: {a: 1}", "\u{0}", "kernels:\n- id: a\n  id: b\n"] {
        let root = course(text, "");
        let (_, problems) = Catalog::from_directory(root.path());
        assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
    }
}
