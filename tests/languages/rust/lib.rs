//! A matcher of lines.

#![deny(missing_docs)]

use std::{fmt, io};

mod pattern;

pub(crate) mod util {
    //! Odds and ends.

    /// Clamp it.
    pub fn clamp(x: u8) -> u8 {
        x.min(MAX)
    }

    const MAX: u8 = 9;

    pub mod deep {
        pub struct Hidden;
    }
}

/// The most lines kept.
pub const MAX_LINES: usize = 1 << 10;
static mut COUNTER: u64 = 0;
const _: () = assert!(MAX_LINES > 0);

/// What a matcher returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A matcher.
///
/// Cheap to clone.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize),
)]
pub struct Matcher<'a, T>
where
    T: AsRef<[u8]>,
{
    /// What to look for.
    pub pattern: &'a str,
    #[allow(dead_code)]
    haystack: T,
    pub(crate) on_match: Box<dyn Fn(&T) -> bool + 'a>,
}

pub struct Line(pub u64, String);
struct Unit;

#[repr(C)]
union Bits {
    f: f32,
    u: u32,
}

// Sorted by cost.
#[non_exhaustive]
pub enum Error {
    /// The pattern is bad.
    Syntax { at: usize, why: String },
    Io(io::Error),
    #[doc(hidden)]
    Other = 3,
    Last(u8, u8)
}

/// Finds things.
pub trait Find: Send + Sync {
    /// What it finds.
    type Item<'x>
    where
        Self: 'x;
    const COST: u8 = 1;

    fn find(&self, at: usize) -> Option<Self::Item<'_>>;

    fn is_match(&self) -> bool {
        self.find(0).is_some()
    }
}

impl<'a, T: AsRef<[u8]>> Matcher<'a, T> {
    pub const KIND: &'static str = "lines";

    /// Make one.
    #[inline]
    #[must_use = "it does nothing by itself"]
    pub fn new(pattern: &'a str, haystack: T) -> Self {
        fn never(_: &[u8]) -> bool {
            const NO: bool = false;
            NO
        }
        let always = |_: &T| true;
        Self { pattern, haystack, on_match: Box::new(always) }
    }

    pub async unsafe fn run<F>(&mut self, mut f: F) -> Result<()>
    where
        F: FnMut(&Line) -> bool,
    {
        Ok(())
    }
}

impl<T> Find for Matcher<'_, T>
where
    T: AsRef<[u8]>,
{
    type Item<'x> = Line where Self: 'x;

    fn find(&self, at: usize) -> Option<Line> {
        None
    }
}

impl fmt::Display for self::Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl From<io::Error> for Error {
    fn from(e: io::Error) -> Self { Error::Io(e) }
}

impl<F> Find for F where F: Fn() {}
impl<T: Find> Find for &mut T {}
impl<T> Find for [T; 4] {}
impl<A, B> Find for (A, B) { const COST: u8 = 2; }
impl dyn Find + '_ { fn boxed() {} }
impl Find for std::sync::Arc<Unit> {}

/// Count things.
#[macro_export]
macro_rules! count {
    () => { 0 };
    ($x:expr $(, $rest:expr)*) => { 1 + count!($($rest),*) };
}

extern "C" {
    /// From libc.
    fn strlen(s: *const c_char) -> usize;
    static environ: *const *const c_char;
}

#[no_mangle]
pub extern "C" fn matcher_free(ptr: *mut c_void) {}

#[cfg(unix)] pub fn is_tty() -> bool { true }
#[cfg(windows)] pub fn is_tty() -> bool { false }

lazy_static! {
    static ref WORDS: Regex = Regex::new(r"\w+").unwrap();
}

thread_local! {
    static DEPTH: Cell<usize> = Cell::new(0);
}

bitflags! {
    /// How to match.
    pub struct Flags: u32 {
        const CASE = 0b1;
    }
}

cfg_rt! {
    pub async fn spawn(task: Task) -> Handle {
        Handle::current().spawn(task)
    }
}

pub const fn version() -> &'static str { env!("CARGO_PKG_VERSION") }

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Line { Line(1, String::new()) }

    #[test]
    fn finds_nothing() {
        assert!(setup().1.is_empty(), "fn in a string");
    }
}
