import FoundationEssentials
import LaptopKit

/// A cable that disturbs what passes it, in place of the one of a laptop; see `Attack/wire.py`.
final class Wire {
    enum Kind: String {
        /// Packets overtake one another, and some come twice.
        case untidy
        /// A router translates the address and the ports of the laptop.
        case nat
    }

    private let program: Running

    /// Replaces the cable of the laptop with this number.
    init(_ kind: Kind, of index: Int, in lab: Lab) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let script = tests.appending(path: "Attack/wire.py").path
        let place = ["port\(index)", "\(lab[index].room.holder)", Lab.address(of: index)]
        program = try Running(
            lab.hub.entrance + ["python3", "-B", script] + place + [kind.rawValue],
            .conversing
        )
        guard try program.firstLine() == "ready" else { throw Failure("no wire") }
    }

    /// Whether the tests may make one.
    static let isPossible: Bool = {
        guard let lab = try? Lab("probe") else { return false }
        return (try? Wire(.untidy, of: 0, in: lab)) != nil
    }()

    static let need = "needs python3 and the right to open /dev/net/tun"
}
