/// What a formula says, as a tree of whole numbers; yes is 1, no is 0, and all but 0 counts as yes.
///
/// Laws: every expression has a value or one named fault, in time that its size bounds; nothing can
/// overflow, because every step is cut to what a cell can hold.
package indirect enum Expression<Name: Hashable & Sendable>: Hashable, Sendable {
    /// A number.
    case number(Int64)
    /// Whatever the name stands for.
    case name(Name)
    /// What one operand becomes.
    case unary(FormulaOperator.Unary, Expression)
    /// What two operands become.
    case binary(FormulaOperator.Binary, Expression, Expression)
    /// One of several operands, or one that the first of them chooses.
    case several(FormulaOperator.Several, [Expression])

    /// The operands of the operator that it is; none of a number or a name.
    private var parts: [Expression] {
        switch self {
        case .number, .name: []
        case .unary(_, let operand): [operand]
        case .binary(_, let left, let right): [left, right]
        case .several(_, let operands): operands
        }
    }

    /// The names in it, from the left, each as often as it is there.
    package var names: [Name] {
        if case .name(let name) = self { [name] } else { parts.flatMap(\.names) }
    }

    /// How many numbers, names and operators it has.
    package var size: Int { parts.reduce(1) { $0 + $1.size } }

    /// Whether anything in it is divided by zero, whatever the names stand for.
    var dividesByZero: Bool {
        if case .binary(.over, _, let by) = self, by.isZero { return true }
        if case .binary(.rest, _, let by) = self, by.isZero { return true }
        return parts.contains(where: \.dividesByZero)
    }

    /// Whether it asks for the least or the greatest of one part alone.
    var comparesOneAlone: Bool {
        if case .several(let which, let operands) = self, operands.count == 1,
            which == .least || which == .greatest
        {
            return true
        }
        return parts.contains(where: \.comparesOneAlone)
    }

    private var isZero: Bool { names.isEmpty && (try? value { _ in 0 }) == 0 }

    /// The same with other names.
    package func mapNames<Other>(
        _ transform: (Name) -> Expression<Other>
    ) -> Expression<Other> {
        switch self {
        case .number(let number): .number(number)
        case .name(let name): transform(name)
        case .unary(let sign, let operand): .unary(sign, operand.mapNames(transform))
        case .binary(let sign, let left, let right):
            .binary(sign, left.mapNames(transform), right.mapNames(transform))
        case .several(let which, let operands):
            .several(which, operands.map { $0.mapNames(transform) })
        }
    }

    /// The value where the names stand for these numbers.
    package func value(_ meaning: (Name) -> Int64) throws(FormulaFault) -> Int64 {
        switch self {
        case .number(let number): return number
        case .name(let name): return meaning(name)
        case .unary(let sign, let operand): return sign.applied(to: try operand.value(meaning))
        case .binary(let sign, let left, let right):
            let first = try left.value(meaning)
            if let decided = sign.decided(by: first) { return decided }
            return try sign.applied(to: first, try right.value(meaning))
        case .several(let which, let operands):
            guard var found = try operands.first?.value(meaning) else { return 0 }
            switch which {
            case .least:
                for other in operands.dropFirst() { found = min(found, try other.value(meaning)) }
            case .greatest:
                for other in operands.dropFirst() { found = max(found, try other.value(meaning)) }
            case .choice, .pick:
                let place = which == .choice ? (found != 0 ? 1 : 2) : found
                guard 1..<Int64(operands.count) ~= place else { throw .nothingToPick }
                found = try operands[Int(place)].value(meaning)
            }
            return found
        }
    }
}

/// Why a formula has no value.
package enum FormulaFault: Error, Hashable, Sendable {
    /// It divides by nothing.
    case divisionByZero
    /// It picks a value where there is none.
    case nothingToPick
}
