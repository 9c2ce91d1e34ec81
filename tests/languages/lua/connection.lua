#!/usr/bin/env lua
--- A pooled client connection.
-- @module connection
local socket = require("socket")
local insert, remove = table.insert, table.remove

--- Seconds before an idle connection is closed.
local DEFAULT_TIMEOUT = 30
local MAX_RETRIES <const> = 5
local pool, waiting = {}, {}

VERSION = "1.4.2"

--- Connection to one peer.
--
-- Instances come from `Connection.new`.
---@class Connection
---@field host string
local Connection = {}
Connection.__index = Connection
Connection.default_port = 6379

--- Open a connection.
-- @param host string
---@return Connection
function Connection.new(host, port)
  local self = setmetatable({}, Connection)
  self.host = host
  self.port = port or Connection.default_port
  self.on_error = function(err) return err end
  return self
end

-- Send one command and wait for its answer.
function Connection:send(command, ...)
  local function encode(value)
    return tostring(value)
  end
  return self.sock:write(encode(command), ...)
end

function Connection.__tostring(self)
  return "Connection(" .. self.host .. ")"
end

Connection.__eq = function(a, b)
  return a.host == b.host
end

--[[
Close the socket.

The object may not be used afterwards.
]]
function Connection:close() self.sock:close() end

--[==[ Long bracket: retry with back-off. ]==]
local function retry(times, action)
  for _ = 1, times do
    local ok, result = pcall(action)
    if ok then return result end
  end
end

local backoff = function(n) return 2 ^ n end

local forward
function forward(n)
  return n > 0 and forward(n - 1)
end

function global_reset()
  pool = {}
end

Connection.errors.handlers.timeout = function(self) return retry(MAX_RETRIES, self) end

function Connection.pool.stats:count()
  return #pool
end

return Connection
