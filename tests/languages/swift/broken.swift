/// Fine before.
func before() -> Int { 1 }

class Half {
    func ok() {}
    func bad( {
}

struct After {
    var z = 1
    func fine() {}
}
