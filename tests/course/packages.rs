//! The table of packages in ARCHITECTURE.md is what the manifests say.

use crate::shared::{files, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Uses = BTreeMap<String, BTreeSet<String>>;

/// Returns the name in a manifest, and everything that the package depends on except in its tests.
fn manifest(path: &Path) -> (String, BTreeSet<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut section, mut name, mut uses) = ("", String::new(), BTreeSet::new());
    for line in text.lines() {
        let word = || line.split(['.', ' ', '=']).next().unwrap().to_owned();
        match section {
            _ if line.starts_with('[') => section = line,
            "[package]" if line.starts_with("name = ") => name = line.split('"').nth(1).unwrap().to_owned(),
            _ if section.ends_with("dependencies]") && !section.contains("dev-") && !section.contains("workspace") => {
                uses.insert(word());
            }
            _ => {}
        }
    }
    (name, uses)
}

/// Returns each package of the workspace, and which of the others it uses.
fn manifests() -> Uses {
    let folders = files(&root().join("src"), "/Cargo.toml").into_iter();
    let own_workspace = |path: &Path| path.components().any(|part| part.as_os_str() == "fuzz");
    let paths = folders.filter(|path| !own_workspace(path)).chain([root().join("Cargo.toml")]);
    let mut packages: Uses = paths.map(|path| manifest(&path)).collect();
    let names: BTreeSet<String> = packages.keys().cloned().collect();
    packages.values_mut().for_each(|uses| uses.retain(|name| names.contains(name)));
    packages
}

/// Returns the rows of the table with the columns `package` and `may use`.
fn table() -> Uses {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| package | may use |")).skip(2);
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    rows.take_while(|line| line.starts_with('|'))
        .flat_map(|line| {
            let cells: Vec<Vec<String>> = line.split('|').skip(1).map(quoted).collect();
            cells[0].iter().map(|name| (name.clone(), cells[1].iter().cloned().collect())).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_table_of_packages_lists_what_each_one_uses() {
    let (table, manifests) = (table(), manifests());
    assert!(manifests.len() > 10 && manifests["tutor-course"].contains("tutor-support"), "{manifests:?}");
    for (name, uses) in &manifests {
        let row = || uses.iter().map(|used| format!("`{used}`")).collect::<Vec<_>>().join(", ");
        assert_eq!(table.get(name), Some(uses), "ARCHITECTURE.md needs the row: | `{name}` | {} |", row());
    }
    assert!(table.keys().all(|name| manifests.contains_key(name)), "{:?}", table.keys());
}
