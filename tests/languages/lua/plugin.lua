local M = {}

---@alias Mode "n"|"i"|"v"

---@type table<string, string>
M.defaults = {
  width = 80,
  ["border-style"] = "rounded",
  keymaps = { quit = "q" },
  -- Called before the window opens.
  on_open = function(win)
    vim.api.nvim_set_option_value("wrap", false, { win = win })
  end,
  [1] = function() end,
}

M.version, M.api_level = "0.3.0", 4

local handlers = {
  --- Move the cursor down.
  down = function(state, count)
    state.row = state.row + (count or 1)
  end,
  up = function(state) state.row = state.row - 1 end,
}

local H = {}
H.cache = setmetatable({}, { __mode = "k" })

H.apply = vim.schedule_wrap(function(opts)
  M.setup(opts)
end)

---@param opts table?
function M.setup(opts)
  M.config = vim.tbl_deep_extend("force", M.defaults, opts or {})
  vim.api.nvim_create_user_command("Tree", function() M.open() end, {})
end

-- luacheck: push ignore

function M.open()
  if not M.config then
    local once = function() M.setup() end
    once()
  end
end

if vim.fn.has("nvim-0.10") == 1 then
  M.iter = vim.iter
  function M.map(f, xs) return M.iter(xs):map(f):totable() end
else
  local function legacy_map(f, xs) return vim.tbl_map(f, xs) end
  M.map = legacy_map
end

goto done
::done::

return {
  setup = M.setup,
  health = function() return true end,
}
