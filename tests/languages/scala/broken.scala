// Fine before.
object Before {
  def ok = 1
}

class Half {
  def bad( {
}

class After {
  val z = 1
  def fine = 2
}
