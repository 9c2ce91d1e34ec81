import Foundation

public typealias Completion = (Result<Data, Error>) -> Void

let defaultLimit = 10
var sharedCount = 0
let double = { (x: Int) in x * 2 }
var computed: Int { 1 }

/// Anything that stores.
///
/// - Parameter x: nothing
public protocol Storing: AnyObject {
    associatedtype Item: Hashable
    var count: Int { get }
    static var shared: Self { get }
    func add(_ item: Item) throws
    init(limit: Int)
    subscript(index: Int) -> Item { get }
}

// The one store.
@available(iOS 13, *)
@MainActor
public final class Store<Item>: Base, Storing where Item: Hashable {
    public private(set) var count: Int = 0
    static let shared = Store()
    lazy var cache: [String: Item] = { [:] }()
    @Published var title: String = ""
    let (low, high) = (1, 2)
    var limit = 1 {
        didSet { print(limit) }
    }
    weak var delegate: StoreDelegate?
    var onChange: ((Int) -> Void)?

    var isEmpty: Bool {
        get { count == 0 }
        set { }
    }

    /// Make one.
    /// - Parameter limit: how many
    public init(limit: Int) {
        let local = 1
        self.limit = limit
    }

    convenience init?(name: String) {
        return nil
    }

    deinit {
        cache = [:]
    }

    subscript(index: Int) -> Item {
        get { fatalError() }
    }

    @discardableResult
    public func add<U: Sequence>(
        _ items: U,
        animated: Bool = true
    ) async throws -> Int where U.Element == Item {
        func helper() {}
        return 1
    }

    class func make() -> Store { fatalError() }

    static func == (lhs: Store, rhs: Store) -> Bool { true }
    static func + (lhs: Store, rhs: Store) -> Store { lhs }

    enum Mode: String, CaseIterable {
        case fast, slow = "s"
        /// Nobody knows.
        case custom(Int, name: String)
        indirect case nested(Mode)

        var label: String { rawValue }
        func next() -> Mode { .fast }
    }

    struct Config: Codable {
        var retries: Int
        let url: URL
    }
}

public actor Counter {
    private var value = 0
    func increment() { value += 1 }
}

extension Array where Element == Int {
    var average: Int { 1 }
    func sum() -> Int { reduce(0, +) }
}

extension Store.Config: CustomStringConvertible {
    var description: String { "config" }
}

prefix operator +++
precedencegroup Pipe { associativity: left }

prefix func +++ (x: inout Int) -> Int { x }

func |> <A, B>(a: A, f: (A) -> B) -> B { f(a) }

@main
struct App {
    static func main() async {}
}

#if DEBUG
func dump(_ store: Store<Int>) {}
#else
func quiet() {}
#endif

@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "T")
