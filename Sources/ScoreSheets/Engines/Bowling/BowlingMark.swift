/// The characters that are no digits.
enum BowlingMark {
    static let strike = UInt8(ascii: "X")
    static let spare = UInt8(ascii: "/")
    static let miss = UInt8(ascii: "-")
}
