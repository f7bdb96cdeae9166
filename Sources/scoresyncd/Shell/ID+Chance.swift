import SessionCRDT

extension ID {
    /// A fresh id by the system's chance.
    ///
    /// It takes no generator along: the system's has no size, and the thread sanitizer crashes on
    /// one that a closure captures, for it has no address either.
    static func random() -> ID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
