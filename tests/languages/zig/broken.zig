const Good = struct {
    a: u32,

    pub fn first(self: Good) u32 {
        return self.a;
    }

    pub fn second(self: Good) u32 {
        return self.a +;
    }

    pub fn third(self: Good) u32 {
        return 3;
    }
};

pub fn after() void {}
