//! Catalogues of a course's own, good and bad.

use super::shared::write;
use tutor_kernels::{Catalog, CatalogProblem};
use tutor_support::t;

const GOOD: &str = include_str!("catalogues/good.yaml");

fn course(catalog: &str, source: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "kernels/catalog.yaml", catalog);
    write(root.path(), "kernels/mine.cu", source);
    root
}

/// Reads a course with this catalogue and this source.
fn read(catalog: &str, source: &str) -> (Catalog, Vec<CatalogProblem>) {
    Catalog::from_directory(course(catalog, source).path())
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
    let built = kernel.recipe().state(".version 8.0\n");
    for (text, taken) in [(built.as_str(), Some(built.as_str())), (".version 8.0\n", None)] {
        write(root.path(), "assets/ptx/mine.ptx", text);
        let (catalog, _) = Catalog::from_directory(root.path());
        assert_eq!(catalog.kernel("mine").unwrap().ptx.as_deref(), taken, "what says what it was made of");
    }
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let mistakes = include_str!("catalogues/mistakes.yaml");
    for (from, to, line, part) in serde_yaml::from_str::<Vec<(String, String, u32, String)>>(mistakes).unwrap() {
        let (catalog, problems) = read(&GOOD.replace(&from, &to), "");
        assert_eq!(problems.len(), 1, "{to}: {problems:?}");
        let problem = &problems[0];
        assert!(problem.message.contains(&part), "{to}: {}", problem.message);
        assert_eq!(problem.file, "kernels/catalog.yaml");
        assert_eq!(problem.line, line, "{to}: {problem}");
        assert!(problem.column > 0 && !problem.message.contains('\u{1b}'), "{to}: {problem:?}");
        assert!(catalog.kernels().is_empty(), "{to}");
    }
}

const VARIED: &str = include_str!("catalogues/varied.yaml");

#[test]
fn the_boxes_of_tensor_maps_follow_the_constants() {
    let mapped = VARIED.replace(
        "sm_75",
        "sm_90\n    tensor_maps: { A: { box: [32, BM / 2] }, B: { box: [BN / 2, TM], swizzle: 128 } }",
    );
    let (catalog, problems) = read(&mapped.replace("[128, 256]", "[8, 128]"), "");
    assert_eq!(problems, []);
    let boxes = |id: &str| catalog.find(id).unwrap().tensor_maps.each().map(|(_, map)| map.extent).collect::<Vec<_>>();
    assert_eq!(boxes("mine"), [[32, 32], [32, 8]]);
    assert_eq!(boxes("mine@32x32_4_k_innermost"), [[32, 16], [16, 4]]);
    let variants = catalog.kernel("mine").unwrap().variants.as_ref().unwrap();
    let why = variants.point("8x128_4_k_innermost").unwrap().launch.as_ref().unwrap_err().to_string();
    assert_eq!(why, "The tensor map of B: A row of the box has 256 bytes; a swizzle of 128 allows at most 128.");
}

#[test]
fn variants_are_all_combinations_and_the_impossible_ones_say_why() {
    let (catalog, problems) = read(VARIED, "");
    assert_eq!(problems, []);
    let kernel = catalog.kernel("mine").unwrap();
    assert_eq!((kernel.block, kernel.shared_bytes), ([64, 8, 1], 16_384));
    let variants = kernel.variants.as_ref().unwrap();
    assert_eq!(variants.points.len(), 3 * 3 * 2);
    let why = |name: &str| variants.point(name).unwrap().launch.as_ref().map_err(ToString::to_string).copied();
    let launch = why("32x32_4_k_innermost").unwrap();
    assert_eq!((launch.block, launch.shared_bytes, launch.tensor_maps.any()), ([32, 8, 1], 4096, false));
    assert!(why("32x32_12_k_outermost").unwrap_err().contains("BM / TM is 2.6"));
    assert!(why("64x64_1_k_outermost").unwrap_err().contains("64×64×1 threads"));
    assert!(why("128x256_4_k_outermost").unwrap_err().contains("threads"));
    assert_eq!(variants.possible().count(), 2 * 2 + 2, "four of 4 rows a thread, two of 1");

    let one = catalog.find("mine@32x32_4_k_innermost").unwrap();
    assert_eq!(one.title, "my kernel: 32x32, 4, k innermost");
    assert_eq!((one.constants["BM"], one.constants["ORDER"]), (32, 1));
    assert_eq!(one.geometry(64, 96, 1).unwrap().grid, [4, 1, 1], "SMS is 4 on the emulator, of 6 blocks");
    assert!(one.ptx.is_none(), "it has not been built");
    for nobody in ["mine@32x32_12_k_outermost", "mine@nobody", "nobody@32x32_4_k_innermost", "mine@"] {
        assert!(catalog.find(nobody).is_none(), "{nobody}");
    }
}

#[test]
fn a_kernel_that_sends_other_shapes_elsewhere_names_one_that_takes_them_all() {
    let general = GOOD.trim_start_matches("kernels:\n").replace("id: mine", "id: general");
    for (elements, otherwise, part) in [
        ("f32", "general", None),
        ("tf32", "sgemm_tiled", None),
        ("bf16", "general", Some("of BF16, but `general`")),
        ("f32", "nobody", Some("which is not a kernel")),
        ("f32", "mine", Some("also does not run every shape")),
    ] {
        let more = format!("otherwise: {otherwise}\n    needs: {{ multiple: {{ lda: 4 }} }}\n    elements: {elements}");
        let (_, problems) = read(&format!("{}{general}", GOOD.replace("about:", &format!("{more}\n    about:"))), "");
        match part {
            None => assert_eq!(problems, [], "{elements} {otherwise}"),
            Some(part) => {
                assert_eq!(problems.len(), 1, "{problems:?}");
                assert!(problems[0].message.contains(part), "{}", problems[0].message);
                assert_eq!(problems[0].line, 11);
            }
        }
    }
}

#[test]
fn a_broken_kernel_does_not_hide_the_others() {
    let twice = format!("{GOOD}{}", GOOD.trim_start_matches("kernels:\n"));
    let (catalog, problems) = read(&twice, "");
    assert_eq!(catalog.kernels().len(), 1);
    assert!(problems[0].message.contains("two kernels `mine`"), "{problems:?}");
}

#[test]
fn a_fault_in_a_source_is_told_with_its_own_file_and_line() {
    let (_, problems) = read(GOOD, "int a;\n// [region x]\n");
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
    assert!(Catalog::from_directory(root.path()).1[0].message.contains(&t!("kernels-unbuilt-missing")));
    for text in ["", "kernels", "kernels: [", "kernels: {a: 1}", "\u{0}", "kernels:\n- id: a\n  id: b\n"] {
        let (_, problems) = read(text, "");
        assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
    }
}
