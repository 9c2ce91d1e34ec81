// Fine before.
fun before(): Int = 1

class Half {
    fun ok() = 1
    fun bad( {
}

fun after(): Int = 2
