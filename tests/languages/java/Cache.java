/*
 * Copyright the authors.
 */
package org.example.cache;

import java.util.*;
import static java.util.Objects.requireNonNull;

/**
 * Keeps values for a while.
 *
 * <p>It is safe for use by many threads.
 *
 * @param <K> the keys
 */
@ThreadSafe
@SuppressWarnings({"unchecked",
    "rawtypes"})
public final class Cache<K extends Comparable<K>, V> extends AbstractMap<K, V>
        implements Iterable<V>, AutoCloseable {

    /** The most entries. */
    public static final int MAX_ENTRIES = 1 << 10, MIN_ENTRIES = 1;
    private static final Comparator<String> BY_LENGTH = new Comparator<>() {
        @Override
        public int compare(String a, String b) {
            return a.length() - b.length();
        }
    };
    final static long serialVersionUID = 1L;
    static int instances;

    // guarded by this
    @GuardedBy("this")
    private final Map<K, Entry<V>> entries = new HashMap<>();
    protected volatile boolean closed, full;
    private int[] sizes[] = {{1}};
    private final Supplier<V> loader = () -> null;

    static {
        instances = 0;
    }

    /**
     * Makes an empty cache.
     * @param size how many entries
     */
    public Cache(int size) throws IllegalArgumentException {
        this(size, null);
        int local = 1;
    }

    Cache(int size, Duration ttl) { }

    /**
     * Finds a value. Never blocks.
     */
    @Nullable
    @Override
    public V get(
            @NotNull Object key) {
        Runnable task = new Runnable() {
            int runs;
            public void run() { runs++; }
        };
        class Local { void inside() { } }
        return null;
    }

    public static <T, R extends Collection<? super T>> R copy(R into, T... values) { return into; }

    @Override public Iterator<V> iterator() { return null; }

    protected synchronized native int count(int x)[];

    /** One entry. */
    static class Entry<V> {
        V value;
        Entry(V value) { this.value = value; }
    }

    class Inner { }

    /** When it goes. */
    public enum Policy implements Supplier<String> {
        /** Oldest first. */
        FIFO,
        @Deprecated
        LRU("lru") {
            @Override
            public String get() { return "l"; }
        };

        private final String label;

        Policy() { this("none"); }

        Policy(String label) { this.label = label; }

        public String get() { return label; }
    }

    public interface Listener<K> extends EventListener {
        int PRIORITY = 1;

        void removed(K key, Cause cause) throws IOException;

        default void added(K key) { }

        private static void log() { }

        @FunctionalInterface
        interface Cause { String why(); }
    }

    /** Where something is. */
    public record Point(int x, @Min(0) int y, String... tags) implements Comparable<Point> {
        static final Point ORIGIN = new Point(0, 0);

        public Point {
            requireNonNull(tags);
        }

        Point(int x) { this(x, 0); }

        @Override
        public int compareTo(Point other) { return 0; }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    public @interface Cached {
        String value() default "";
        int[] sizes() default {1, 2};
        String NONE = "";
    }
}

sealed interface Shape permits Circle, Square { }
non-sealed class Circle implements Shape { }
abstract class Square implements Shape {
    abstract double area();
}
