/// One place that breaks a rule of the house.
struct Violation: Hashable, CustomStringConvertible {
    /// The file, relative to the repository.
    let file: String
    /// The line, counted from 1.
    let line: Int
    /// What is wrong, and what would be right.
    let message: String

    var description: String { "\(file):\(line): \(message)" }
}
