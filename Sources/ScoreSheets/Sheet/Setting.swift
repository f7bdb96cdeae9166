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

    /// The first of what is found wrong with conditions and with options that say it.
    func flaw(
        ofCondition isCondition: (Condition) -> String?,
        ofOption isOption: (Symbol) -> String?
    ) -> String? {
        switch self {
        case .always: nil
        case .option(let name): isOption(name)
        case .when(let condition, let setting, let other):
            isCondition(condition) ?? setting.flaw(ofCondition: isCondition, ofOption: isOption)
                ?? other?.flaw(ofCondition: isCondition, ofOption: isOption)
        }
    }
}
