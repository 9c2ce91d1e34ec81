@testable import Store
import XCTest

final class StoreTests: XCTestCase {
    override func setUp() { super.setUp() }

    func testAdds() throws {
        XCTAssertEqual(1, 1)
    }
}

@Suite struct Modern {
    @Test("adds things") func adds() {}
}

struct ContentView: View {
    @State private var name = ""

    var body: some View {
        VStack {
            Text(name)
        }
    }
}

#Preview {
    ContentView()
}
