import ControlSocket
import SyncProtocol

@testable import scorectl

extension Sample {
    /// A laptop in a network without problems.
    static func diagnosis(_ change: (inout Diagnosis) -> Void = { _ in }) -> Diagnosis {
        var diagnosis = Diagnosis(
            daemon: DaemonSummary(
                version: Versions.program,
                device: "d0",
                name: "cleo-laptop",
                instance: "i0"
            ).with {
                $0.home = "/h"
                $0.port = 47_615
                $0.pid = 4711
            },
            program: Diagnosis.Program(path: "/usr/bin/scoresyncd", replaced: false),
            announcing: Diagnosis.Announcing(enabled: true, port: 47_615).with {
                $0.probed = true
                $0.interfaces = [
                    Diagnosis.Interface(name: "wlan0", address: "192.168.0.9").with {
                        $0.heardBack = true
                    }
                ]
            }
        ).with {
            $0.sessions = [Diagnosis.Held(id: "f00dfeed", title: "Friday")]
            $0.peers = [bob()]
        }
        change(&diagnosis)
        return diagnosis
    }

    /// Another laptop, which is linked.
    static func bob(_ change: (inout Diagnosis.Peer) -> Void = { _ in }) -> Diagnosis.Peer {
        var bob = Diagnosis.Peer(session: "f00dfeed", device: "d2", name: "bob-laptop").with {
            $0.caller = .here
            $0.linkedMs = 60_000
            $0.clockSkewMs = 12
            $0.heardMs = 4000
            $0.addresses = [
                Diagnosis.Address(address: "192.168.0.8:47615").with { $0.outcome = .linked }
            ]
        }
        change(&bob)
        return bob
    }

    /// The same laptop, which is not.
    static func missingBob(
        _ outcome: Diagnosis.Outcome?,
        heardMs: Int64? = nil
    ) -> Diagnosis {
        diagnosis {
            $0.peers = [
                bob {
                    $0.caller = nil
                    $0.linkedMs = nil
                    $0.clockSkewMs = nil
                    $0.heardMs = heardMs
                    $0.lastSeen = time(minutesAgo: 3)
                    let text = outcome.map { "the reason: \($0.rawValue)" }
                    $0.addresses[0].outcome = outcome
                    $0.addresses[0].text = text
                }
            ]
        }
    }

    /// A machine without problems, with the diagnosis of its daemon.
    static func machine(
        _ diagnosis: Diagnosis = Sample.diagnosis(),
        _ change: (inout MachineFacts) -> Void = { _ in }
    ) throws -> Diagnostics {
        let paths = try Harness.paths("/h")
        var facts = MachineFacts(paths: paths, daemon: .answered(diagnosis, socket: paths.socket))
        facts.freeBytes = 5 << 30
        facts.store = .own(schema: StoreHeader.knownSchema)
        facts.program = "/usr/bin/scoresyncd"
        change(&facts)
        return Diagnostics(facts: facts, now: now)
    }
}
