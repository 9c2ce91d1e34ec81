//! A ring buffer with a fixed capacity.

const std = @import("std");
const builtin = @import("builtin");
const Allocator = std.mem.Allocator;
const assert = std.debug.assert;

pub const default_capacity: usize = 64;
pub var live_rings: u32 = 0;
threadlocal var scratch: [16]u8 = undefined;
pub extern "c" fn getpid() c_int;
extern var environ: [*:null]?[*:0]u8;

/// What can go wrong.
///
/// Both are recoverable.
pub const RingError = error{
    Full,
    Empty,
};

pub const Error = RingError || Allocator.Error;

/// How full a ring is.
pub const State = enum(u8) {
    empty,
    partial = 5,
    full,
    _,

    pub fn isReady(self: State) bool {
        return self != .empty;
    }
};

pub const Value = union(enum) {
    int: i64,
    float: f64,
    none,

    const zero: Value = .{ .int = 0 };
};

const Header = packed struct(u32) {
    tag: u8,
    length: u24 = 0,
};

const Point = extern struct { x: c_int, y: c_int };

pub const Handle = opaque {
    pub extern fn close(self: *Handle) void;
};

/// A generic ring.
pub fn Ring(comptime T: type) type {
    return struct {
        const Self = @This();
        pub const Item = T;

        /// The slots, owned.
        items: []T,
        head: usize = 0,
        len: usize,

        /// Make a ring of `capacity` slots.
        pub fn init(allocator: Allocator, capacity: usize) Error!Self {
            const items = try allocator.alloc(T, capacity);
            return .{ .items = items, .len = 0 };
        }

        // Not thread safe.
        pub inline fn push(self: *Self, value: T) RingError!void {
            if (self.len == self.items.len) return error.Full;
            self.items[(self.head + self.len) % self.items.len] = value;
            self.len += 1;
        }

        fn wrap(self: Self, index: usize) usize {
            return (self.head + index) % self.items.len;
        }

        pub const Iterator = struct {
            ring: *const Self,
            index: usize = 0,

            pub fn next(it: *Iterator) ?T {
                if (it.index == it.ring.len) return null;
                defer it.index += 1;
                return it.ring.items[it.index];
            }
        };
    };
}

export fn ring_version() u32 {
    return 3;
}

pub fn max(
    comptime T: type,
    a: T,
    b: T,
) T {
    const Local = struct {
        fn pick(x: T, y: T) T {
            return if (x > y) x else y;
        }
    };
    return Local.pick(a, b);
}

pub const os = switch (builtin.os.tag) {
    .linux => @import("linux.zig"),
    else => struct {
        pub fn sync() void {}
    },
};

const Callback = *const fn (event: u32) callconv(.C) void;

pub usingnamespace @import("extra.zig");

comptime {
    assert(@sizeOf(Header) == 4);
}

pub fn @"odd name"() void {}

test "push keeps the order" {
    var ring = try Ring(u8).init(std.testing.allocator, 2);
    try ring.push(1);
}

test Ring {
    _ = Ring(u8);
}

test {
    std.testing.refAllDecls(@This());
}
