package org.example.cache;

class CacheTest {
    private Cache<String, String> cache;

    @BeforeEach
    void setUp() {
        cache = new Cache<>(3);
    }

    @Test
    @DisplayName("an empty cache has nothing")
    void emptyCache() {
        assertThat(cache.get("a")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "a",
        "b"
    })
    void finds(String key) { }

    @Nested
    class WhenFull {
        @Test void evicts() { }
    }

    static Stream<Arguments> keys() { return Stream.of(); }
}
