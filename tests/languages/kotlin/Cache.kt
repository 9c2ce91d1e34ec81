@file:JvmName("Caches")

package org.example.cache

import kotlin.math.max

typealias Loader<K, V> = suspend (K) -> V

const val MAX_SIZE = 100
val clock: Clock by lazy { Clock.systemUTC() }
private var hits = 0
    private set
private val String.isBlankKey: Boolean get() = isBlank()
val twice = { x: Int -> x * 2 }

/**
 * Returns the second element.
 *
 * @param T the type
 */
fun <T> List<T>.second(): T = this[1]

fun String?.orDash() = this ?: "-"

fun Map.Entry<String, Int>.render(): String {
    val local = key
    fun helper() = local
    return helper()
}

suspend inline fun <reified T> load(
    key: String,
    crossinline block: () -> T,
): T {
    return block()
}

interface Store<K, V> {
    val size: Int
    suspend fun get(key: K): V?
    fun clear() {}
}

fun interface Listener {
    fun onEvict(key: String)
}

// Keeps things.
@Serializable
sealed class Cache<K : Any, V>(
    val name: String,
    private var limit: Int = MAX_SIZE,
    loader: Loader<K, V>,
) : Base(name), Store<K, V> {
    private val entries = mutableMapOf<K, V>()
    override val size get() = entries.size
    lateinit var owner: String
    var mode: Int = 0
        set(value) {
            field = value
        }
    val top: Int
        get() = limit

    val (low, high) = 1 to 2

    constructor(name: String) : this(name, 10) {
        println(name)
    }

    init {
        require(limit > 0)
    }

    companion object {
        const val VERSION = 1
        private val TAG = "cache"

        @JvmStatic
        fun create(): Cache<String, Int> = TODO()
    }

    object Empty : Cache<Nothing, Nothing>("empty")

    data class Entry(val key: String, val value: Int) : Comparable<Entry> {
        override fun compareTo(other: Entry) = 0
    }

    operator fun plus(other: Cache<K, V>) = this

    inner class Cursor

    abstract fun evict(key: K): Boolean
}

enum class Level(val weight: Int) {
    LOW(1) {
        override fun label() = "low"
    },
    HIGH(2);

    abstract fun label(): String
    val heavy get() = weight > 1
}

annotation class Fast

data object Nothing2

object Registry {
    @JvmField val all = listOf<String>()
    fun find(name: String) = all.first { it == name }
}

class Named {
    companion object Factory {
        fun make() = Named()
    }
}

@JvmInline
value class Id(val raw: String)
