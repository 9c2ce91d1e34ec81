use crate::util::{Dir, TestCommand};

const SHERLOCK: &str = "\
For the Doctor Watsons of this world
";

// See #12: a prefix.
rgtest!(f12_prefix, |dir: Dir, mut cmd: TestCommand| {
    dir.create("a", SHERLOCK);
    let expected = "x";
    eqnice!(expected, cmd.stdout());
});

rgtest!(
    f13_suffix,
    |dir: Dir, mut cmd: TestCommand| {
        cmd.assert_err();
    }
);

struct Args<'a> { words: Vec<&'a str> }

impl<'a> Iterator for Args<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> { self.words.pop() }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) { println!("{}", "struct Fake"); }
    }
    Ok(())
}
