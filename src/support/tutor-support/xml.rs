//! XML and HTML as text.

use std::fmt::Write as _;

pub const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Escapes text for content and attributes. Control characters were removed when the text was read.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Returns text as content, in a CDATA section if it has special characters. Readers that drop pieces of white space, as PHP does
/// with `XML_OPTION_SKIP_WHITE`, take a section as one piece.
pub fn content(text: &str) -> String {
    if !text.contains(['&', '<', '>']) {
        return text.to_owned();
    }
    format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}

/// Returns an element. The values of its attributes are text, and `inner` is XML.
pub fn element(name: &str, attributes: &[(&str, &str)], inner: &str) -> String {
    let mut out = format!("<{name}");
    for (attribute, value) in attributes {
        // A parser reads a line break in an attribute as a blank.
        let _ = write!(out, " {attribute}=\"{}\"", escaped(value).replace('\n', "&#10;"));
    }
    if inner.is_empty() { out + "/>" } else { format!("{out}>{inner}</{name}>") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_does_not_become_markup() {
        let inner = escaped("a < b && c");
        assert_eq!(
            element("p", &[("title", "say \"x\"\ny")], &inner),
            "<p title=\"say &quot;x&quot;&#10;y\">a &lt; b &amp;&amp; c</p>"
        );
        assert_eq!(element("br", &[], ""), "<br/>");
    }
}
