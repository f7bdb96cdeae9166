package import SessionCRDT

/// What a sheet says once and for all, or leaves to an option.
package enum Setting<Constant: Hashable & Sendable>: Hashable, Sendable {
    /// Always this.
    case always(Constant)
    /// Whatever the option says.
    case option(Symbol)
    /// The one while something is set, else the other; nil of what is off then.
    case when(Condition, Constant, else: Constant?)

    /// All that it can be of what the sheet itself says.
    var constants: [Constant] {
        switch self {
        case .always(let constant): [constant]
        case .option: []
        case .when(_, let constant, let other): [constant] + [other].compactMap(\.self)
        }
    }
}
