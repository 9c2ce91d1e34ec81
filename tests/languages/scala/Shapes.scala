package org.example

import scala.util.{Failure, Success}

package object util {
  val Zero = 0
  type Parser[A] = String => A
}

/** A shape.
  *
  * @tparam A the unit
  */
sealed trait Shape[A] extends Serializable {
  type Side
  val name: String
  var color: String
  lazy val cached = compute()
  def area(scale: Int): Double
  def perimeter: Double = 1.0
  protected def compute(): Int = {
    val local = 1
    def inner(x: Int) = x
    inner(local)
  }
}

case class Circle[A](radius: Double, private var tag: String)(implicit val ev: Unit[A])
    extends Shape[A]
    with Ordered[Circle[A]] {
  def this(x: Int) = this(x.toDouble, "")
  def +(other: Circle[A]): Circle[A] = other
  def `odd name`: Int = 1
  override def toString = s"$radius"
  private[example] val (low, high) = (1, 2)
}

// Makes shapes.
object Circle extends App {
  val Unit1, Unit2 = 1.0
  private var count: Int = 0
  implicit val ordering: Ordering[Circle[Int]] = null
  val twice = (x: Int) => x * 2
  def apply[A](
      radius: Double,
      name: String = "c"
  )(implicit ev: Unit[A]): Circle[A] = ???
  implicit class Ops(val c: Circle[Int]) extends AnyVal {
    def double = c
  }
  case object Empty
}

abstract class Base(size: Int, val depth: Int) {
  @deprecated("use other", "1.0")
  @inline def old(): Unit = ()
  implicit def fromInt(i: Int): Base = ???
  class Inner
}

class Spec extends AnyFunSuite {
  test("adds numbers") {
    val x = 1
    assert(x == 1)
  }

  "A stack" should "pop values" in {
    assert(true)
  }

  describe("a queue") {
    it("is empty") { assert(true) }
  }
}
