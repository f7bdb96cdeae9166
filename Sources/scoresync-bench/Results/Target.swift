/// What a median must keep to.
enum Target: Sendable {
    /// So many at most.
    case atMost(Double)
    /// So many at least.
    case atLeast(Double)
    /// So many times the floor at most.
    case timesFloor(Double)
    /// So much more than the floor at most.
    case overFloor(Double)

    /// Whether the measurement keeps to it; a floor that is missing is never kept to.
    func isMet(by measurement: Measurement) -> Bool {
        let median = measurement.series.median
        return switch self {
        case .atMost(let most): median <= most
        case .atLeast(let least): median >= least
        case .timesFloor(let most): measurement.ratio.map { $0 <= most } ?? false
        case .overFloor(let most):
            measurement.floor.map { median - $0.series.median <= most } ?? false
        }
    }

    /// It for people, in the unit of the measurement.
    func text(for measurement: Measurement) -> String {
        switch self {
        case .atMost(let most): "≤ " + measurement.text(most)
        case .atLeast(let least): "≥ " + measurement.text(least)
        case .timesFloor(let most): "≤ " + Measurement.short(most) + "×"
        case .overFloor(let most): "≤ floor + " + measurement.text(most)
        }
    }
}
