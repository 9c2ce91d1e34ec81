# Fine before.
class Before
  def ok
    1
  end
end

def half(
  if x ==

class After
  def fine
  end
end
