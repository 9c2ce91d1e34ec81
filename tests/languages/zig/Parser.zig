//! A file that is a struct.
const Parser = @This();

source: [:0]const u8,
/// Where reading goes on.
index: u32 = 0,
comptime max_depth: u8 = 12,

pub const Node = struct {
    tag: Tag,
    data: Data,

    pub const Tag = enum { root, leaf };
    pub const Data = extern union {
        lhs: u32,
        rhs: u32,
    };
};

pub fn init(source: [:0]const u8) Parser {
    return .{ .source = source };
}

/// Read one token.
fn next(p: *Parser) !?Node {
    while (p.index < p.source.len) : (p.index += 1) {}
    return null;
}

fn parseAssign(p: *Parser, comptime op: fn (u32, u32) u32) error{OutOfMemory}!u32 {
    const table = blk: {
        var t: [4]u8 = undefined;
        break :blk t;
    };
    _ = table;
    return op(p.index, 1);
}
