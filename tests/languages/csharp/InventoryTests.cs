namespace Shop.Tests
{
    namespace Inner
    {
        public class InventoryTests(ITestOutputHelper output)
        {
            [Fact]
            public void Starts_empty()
            {
                Assert.Equal(0, 1);
            }

            [Theory]
            [InlineData(1)]
            public async Task Counts(int n) => await Task.Yield();
        }
    }
}
