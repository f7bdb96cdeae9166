import ControlSocket
import SyncProtocol

/// How the daemon that runs and this program differ, where they were not installed together.
enum DaemonSkew: Hashable {
    /// The daemon is of an older version.
    case older(String)
    /// The daemon is of the same version, and its program was replaced since it was started.
    case replaced(String)
    /// The daemon is of a newer version.
    case newer(String)

    /// What a daemon that told its version and build is, beside the program that would be started.
    init?(_ agreement: NegotiateReply, installed: () -> ProgramBuild?) {
        let (theirs, ours) = (agreement.version, Versions.program)
        guard theirs == ours else {
            self = Self.isVersion(theirs, before: ours) ? .older(theirs) : .newer(theirs)
            return
        }
        guard let running = agreement.build.flatMap({ ProgramBuild($0) }),
            let installed = installed(),
            installed != running, running.changed < installed.changed
        else { return nil }
        self = .replaced(theirs)
    }

    /// Whether starting the daemon anew mends it.
    var isMendedByRestart: Bool {
        switch self {
        case .older, .replaced: true
        case .newer: false
        }
    }

    /// What is so, without an end of the sentence.
    var text: String {
        switch self {
        case .older(let version):
            "the daemon that runs (\(version)) is older than this scorectl (\(Versions.program))"
        case .replaced(let version):
            "the daemon that runs is an older build of \(version) than the one that is installed"
        case .newer(let version):
            "the daemon that runs (\(version)) is newer than this scorectl (\(Versions.program))"
        }
    }

    /// What to do about it.
    var advice: String {
        isMendedByRestart
            ? "start it anew with: scorectl daemon restart" : "install the same version of both"
    }

    /// Compares versions part by part, as numbers where they are (semver.org, section 11, as far as
    /// releases go).
    private static func isVersion(_ left: String, before right: String) -> Bool {
        let (left, right) = (parts(of: left), parts(of: right))
        for place in 0..<max(left.count, right.count) {
            let (one, other) = (
                place < left.count ? left[place] : 0, place < right.count ? right[place] : 0
            )
            if one != other { return one < other }
        }
        return false
    }

    private static func parts(of version: String) -> [Int] {
        version.split(separator: ".").map { part in Int(part.prefix(while: \.isNumber)) ?? 0 }
    }
}
