//! The terminal's character set, according to the locale.

/// Returns the locale's character set in lower case: `utf-8`, `iso-8859-1`, `c`. `None` if the locale does not name
/// one.
fn charset(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty())?;
    let name = locale.split('@').next().unwrap_or_default().to_ascii_lowercase();
    match name.split_once('.') {
        Some((_, charset)) => Some(charset.to_owned()),
        None => Some(name).filter(|name| matches!(name.as_str(), "c" | "posix")),
    }
}

fn is_utf8(charset: &str) -> bool {
    matches!(charset, "utf-8" | "utf8")
}

/// True if the locale says that the terminal supports Unicode. On Windows, consoles support it, and no locale says so.
pub(crate) fn has_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    charset(variable).map_or(cfg!(windows), |charset| is_utf8(&charset))
}

/// True if the locale says that the terminal lacks Unicode. Everything is then drawn as with `--ascii`.
pub(crate) fn lacks_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    charset(variable).is_some_and(|charset| !is_utf8(&charset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_without_unicode_is_known_and_an_unset_one_is_not_taken_for_one() {
        for (variables, has, lacks) in [
            (&[("LC_ALL", "C")][..], false, true),
            (&[("LANG", "POSIX")], false, true),
            (&[("LANG", "de_DE.ISO-8859-1")], false, true),
            (&[("LANG", "de_DE.UTF-8"), ("LC_CTYPE", "C")], false, true),
            (&[("LC_ALL", ""), ("LANG", "ko_KR.utf8")], true, false),
            (&[("LC_ALL", "C.UTF-8"), ("LANG", "C")], true, false),
            (&[("LANG", "de_DE.UTF-8@euro")], true, false),
            (&[("LANG", "ko")], cfg!(windows), false),
            (&[], cfg!(windows), false),
        ] {
            let variable =
                |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            assert_eq!((has_unicode(variable), lacks_unicode(variable)), (has, lacks), "{variables:?}");
        }
    }
}
