package import SyncProtocol

/// Reads the arguments of a program from left to right: options, their values, and words.
///
/// As with GNU getopt, `--name VALUE` and `--name=VALUE` mean the same. An argument with a dash
/// that no letter follows, such as `-5`, is a word; the caller decides what `--` means.
package struct ArgumentReader {
    package private(set) var rest: ArraySlice<String>
    package private(set) var isOption = false
    private var last = ""
    /// The value after the equals sign of the last option; nil once it is read.
    private var attached: String?

    package init(_ arguments: [String]) { rest = arguments[...] }

    /// Returns the next word, or the next option with its dashes; nil at the end.
    ///
    /// - Throws: `usage` if the previous option has a value that was not read.
    package mutating func next() throws(ControlError) -> String? {
        guard attached == nil else { throw .usage("\(last) takes no value") }
        guard let argument = rest.popFirst() else { return nil }
        isOption = argument.hasPrefix("-") && argument.first { $0 != "-" }?.isLetter == true
        let end = isOption ? argument.firstIndex(of: "=") : nil
        last = String(argument[..<(end ?? argument.endIndex)])
        attached = end.map { String(argument[argument.index(after: $0)...]) }
        return last
    }

    package mutating func value(_ placeholder: String = "a value") throws(ControlError) -> String {
        guard let value = attached ?? rest.popFirst() else {
            throw .usage("\(last) needs \(placeholder)")
        }
        attached = nil
        return value
    }

    package mutating func number<Number: FixedWidthInteger>(
        in range: ClosedRange<Number>
    ) throws(ControlError) -> Number {
        let text = try value()
        guard let number = Number(text), range.contains(number) else {
            let (min, max) = (range.lowerBound, range.upperBound)
            throw .usage("\(last) needs a number from \(min) to \(max), not '\(text)'")
        }
        return number
    }

    package func unknown(in program: String) -> ControlError {
        let message = isOption ? "unknown option '\(last)'" : "unexpected argument '\(last)'"
        return ControlError(.usage, message, hint: "see: \(program) --help")
    }
}
