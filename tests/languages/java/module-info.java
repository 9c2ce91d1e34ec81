/** Caching. */
@Deprecated
open module org.example.cache {
    requires transitive java.logging;
    exports org.example.cache;
    provides Spi with Impl;
}
