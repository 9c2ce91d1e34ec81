local Queue = require "queue"

describe("Queue", function()
  local queue

  before_each(function()
    queue = Queue.new()
  end)

  describe("#push", function()
    it("keeps the order of arrival", function()
      queue:push(1)
      assert.are.equal(1, queue:pop())
    end)

    it('refuses nil', function() assert.has_error(function() queue:push(nil) end) end)
    pending("is thread safe")
  end)
end)
