/// A length of time as people type it: a number and its unit, as in `90s`, `30m`, `1.5h` or `2d`.
package struct TypedTime: Hashable, Sendable {
    package enum Unit: Int64, CaseIterable, Sendable {
        case seconds = 1000
        case minutes = 60_000
        case hours = 3_600_000
        case days = 86_400_000

        var letter: Character {
            switch self {
            case .seconds: "s"
            case .minutes: "m"
            case .hours: "h"
            case .days: "d"
            }
        }
    }

    package let milliseconds: Int64

    package init(_ count: Int64, _ unit: Unit) { milliseconds = count * unit.rawValue }

    /// Parses a text; `usual` is the unit of a number without one, which is refused if that is nil.
    package init?(_ text: String, usual: Unit? = nil) {
        let unit = Unit.allCases.first { $0.letter == text.last }
        let number = unit == nil ? text : String(text.dropLast())
        // More digits of days would not fit. Also rejects signs, exponents and the words that `Double` accepts.
        guard let unit = unit ?? usual, number.utf8.count <= 11,
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let count = Double(number)
        else { return nil }
        milliseconds = Int64(count * Double(unit.rawValue) + 0.5)
    }

    /// Parses the value of an option.
    ///
    /// - Throws: `usage` for any other form, and for times beyond the limits.
    package init(
        _ text: String,
        of option: String,
        in limits: ClosedRange<TypedTime>,
        usual: Unit? = nil
    ) throws(ControlError) {
        guard let time = TypedTime(text, usual: usual), limits.contains(time) else {
            let hint = Double(text) == nil ? "" : "; a number needs its unit: 90s, 30m, 4h, 2d"
            let bounds = "from \(limits.lowerBound) to \(limits.upperBound)"
            throw .usage(
                "--\(option) needs a time \(bounds), such as 30m or 4h, not '\(text)'"
                    + (usual == nil ? hint : "")
            )
        }
        self = time
    }
}

extension TypedTime: Comparable {
    package static func < (left: TypedTime, right: TypedTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension TypedTime: CustomStringConvertible {
    /// The text form in the largest unit of which it is a multiple.
    package var description: String {
        let whole = Unit.allCases.last { milliseconds != 0 && milliseconds % $0.rawValue == 0 }
        guard let unit = whole ?? (milliseconds == 0 ? .seconds : nil) else {
            return "\(Double(milliseconds) / 1000)s"
        }
        return "\(milliseconds / unit.rawValue)\(unit.letter)"
    }
}
