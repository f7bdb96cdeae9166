package import SessionCRDT

/// What a sheet says once and for all, or leaves to an option.
package indirect enum Setting<Constant: Hashable & Sendable>: Hashable, Sendable {
    /// Always this.
    case always(Constant)
    /// Whatever the option says.
    case option(Symbol)
    /// The one while something is set, else the other; nil of what is off then.
    case when(Condition, Setting, else: Setting?)

    /// All that it can be of what the sheet itself says.
    var constants: [Constant] {
        switch self {
        case .always(let constant): [constant]
        case .option: []
        case .when(_, let setting, let other): setting.constants + (other?.constants ?? [])
        }
    }

    /// What is wrong with the conditions and with the options that it asks.
    func flaws<Flaw>(
        ofCondition isWrong: (Condition) -> [Flaw],
        ofOption isStray: (Symbol) -> [Flaw]
    ) -> [Flaw] {
        switch self {
        case .always: []
        case .option(let name): isStray(name)
        case .when(let condition, let setting, let other):
            isWrong(condition) + setting.flaws(ofCondition: isWrong, ofOption: isStray)
                + (other?.flaws(ofCondition: isWrong, ofOption: isStray) ?? [])
        }
    }
}
