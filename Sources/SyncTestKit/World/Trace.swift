/// The last things that happened in a simulation, for who looks for the cause of a failure.
///
/// It costs nothing until it is switched on: a failing seed is run again with it, and everything
/// happens again.
struct Trace: Sendable {
    /// How many lines are kept.
    static let length = 40_000

    let isOn: Bool
    private var ring: [String] = []
    private var start = 0

    init(isOn: Bool) { self.isOn = isOn }

    /// The lines, oldest first.
    var lines: [String] { Array(ring[start...] + ring[..<start]) }

    mutating func note(_ time: UInt64, _ line: @autoclosure () -> String) {
        guard isOn else { return }
        let text = "\(time) \(line())"
        if ring.count < Trace.length {
            ring.append(text)
        } else {
            ring[start] = text
            start = (start + 1) % Trace.length
        }
    }
}
