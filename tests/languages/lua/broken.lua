local Parser = class("Parser")

function Parser:initialize(text)
  self.text = text
end

function Parser:advance(n
  self.at = self.at + n

function Parser:peek()
  return self.text:sub(self.at, self.at)
end

local function is_space(c) return c == " " end

Parser.keywords = { "and", "or" }
