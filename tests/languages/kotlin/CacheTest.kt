class CacheTest : StringSpec({
    "length should be size" {
        1 shouldBe 1
    }
}) {
    @Test
    fun `evicts the oldest entry`() = runTest {
        val cache = Cache("a")
    }

    @Nested
    inner class WhenFull {
        @Test fun rejects() {}
    }
}
