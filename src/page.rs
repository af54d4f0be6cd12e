//! The page that this build is for: in a release each page has a wasm with what stands on it, and nothing else.

/// What stands on it, as `cargo xtask pages` read it there: `figure:<id>`, `claim:<id>`, `formats`, `errors`, parted by commas.
/// Not set, the build is for every page.
const ON_PAGE: Option<&str> = option_env!("TEXELARIUM_ON_PAGE");

/// Whether `kind`, or the one of that `id` where it has several, stands on the page.
pub(crate) const fn has(kind: &str, id: &str) -> bool {
    let Some(all) = ON_PAGE else { return true };
    let (all, kind, id) = (all.as_bytes(), kind.as_bytes(), id.as_bytes());
    let mut start = 0;
    while start < all.len() {
        let mut end = start;
        while end < all.len() && all[end] != b',' {
            end += 1;
        }
        let colon = start + kind.len();
        let is_whole = if id.is_empty() { end == colon } else { end == colon + 1 + id.len() && all[colon] == b':' };
        if is_whole && matches(all, start, kind) && (id.is_empty() || matches(all, colon + 1, id)) {
            return true;
        }
        start = end + 1;
    }
    false
}

/// Whether `text` stands at `start` of `all`, which is long enough.
const fn matches(all: &[u8], start: usize, text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        if all[start + at] != text[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The rows of a registry that stand on the page.
macro_rules! on_page {
    ($kind:literal, $type:ty, $all:expr) => {{
        const ROWS: &[$type] = $all;
        const COUNT: usize = {
            let (mut count, mut at) = (0, 0);
            while at < ROWS.len() {
                count += $crate::page::has($kind, ROWS[at].id) as usize;
                at += 1;
            }
            count
        };
        // Copied, so that nothing refers to the others and they are left out.
        const HERE: [$type; COUNT] = {
            let (mut here, mut count, mut at) = ([ROWS[0]; COUNT], 0, 0);
            while at < ROWS.len() {
                if $crate::page::has($kind, ROWS[at].id) {
                    here[count] = ROWS[at];
                    count += 1;
                }
                at += 1;
            }
            here
        };
        &HERE
    }};
}
pub(crate) use on_page;
