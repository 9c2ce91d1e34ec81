pub struct Good { a: u8 }

fn half(a: u8, {
    a
}

impl Good {
    fn method(&self) -> u8 { self.a }

    fn unfinished(&self) -> {
    }
}

pub enum After { A, B }
