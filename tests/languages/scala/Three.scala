package three

enum Color(val rgb: Int):
  case Red extends Color(0xFF0000)
  case Green, Blue
  case Mix(a: Int, b: Int)

  def hex: String = rgb.toString

enum Tree[+A] {
  case Leaf(value: A)
  case Node(left: Tree[A], right: Tree[A])
}

trait Ord[T]:
  def compare(x: T, y: T): Int
  val strict: Boolean = true

given intOrd: Ord[Int] with
  def compare(x: Int, y: Int) = x - y

extension (s: String)
  def shout: String = s.toUpperCase
  def twice: String = s + s

extension [T](xs: List[T]) def second: T = xs(1)

opaque type Id = Int

class Account(owner: String):
  private var balance = 0
  def deposit(amount: Int): Unit =
    val before = balance
    balance += amount
  end deposit

object Account:
  val Limit = 10
  def open(name: String): Account = Account(name)

def topLevel(using ctx: Context): Int = 1
inline def fast(x: Int): Int = x
val answer = 42

@main def run(args: String*): Unit = println("hi")
