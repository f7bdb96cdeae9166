package import SessionCRDT

/// What a sheet says once and for all, or leaves to an option.
package enum Setting<Constant: Hashable & Sendable>: Hashable, Sendable {
    /// Always this.
    case always(Constant)
    /// Whatever the option says.
    case option(Symbol)
}
