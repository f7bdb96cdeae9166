import SyncProtocol
import SyncTestKit
import TerminalText
import Testing

@testable import scorectl

@Suite("The page of doctor")
struct DoctorPageTests {
    private let findings = [
        Finding.ok(.home, "/h is there"),
        Finding(
            id: .peer,
            subject: "bob-laptop",
            state: .warning,
            text: "bob-laptop is not linked",
            cause: "it sleeps",
            remedy: "wake it"
        ),
        Finding(
            id: .echo,
            state: .problem,
            text: "nothing comes back, and this is told in a line that is longer than others",
            cause: "a firewall",
            remedy: "open it",
            commands: ["sudo ufw allow 47615/udp"]
        ),
    ]

    @Test("is a line for each passed check, and cause, remedy and commands for the others")
    func page() {
        let form = PageFormat(columns: 60)
        #expect(
            DoctorPage(findings: findings, form: form).lines.map(\.text) == [
                "✓ home      /h is there",
                "! peer      bob-laptop is not linked",
                "            why  it sleeps",
                "            do   wake it",
                "✗ echo      nothing comes back, and this is told in a line",
                "            that is longer than others",
                "            why  a firewall",
                "            do   open it",
                "                 sudo ufw allow 47615/udp",
                "",
                "1 problem, 1 warning.",
            ]
        )
        #expect(
            DoctorPage(findings: Array(findings.prefix(1)), form: form).lines.map(\.text).last
                == "No problems found."
        )
    }

    @Test("is JSON with stable words, and absent fields left out")
    func json() throws {
        let document: JSONDocument = ["schema": 1, "checks": Array(findings.prefix(2))]
        let text = String(decoding: try ControlJSON.encode(document), as: UTF8.self)
        #expect(
            text == #"{"checks":[{"id":"home","state":"ok","text":"/h is there"},"#
                + #"{"cause":"it sleeps","cure":"wake it","id":"peer","state":"warning","#
                + #""subject":"bob-laptop","text":"bob-laptop is not linked"}],"schema":1}"#
        )
    }

    @Test("asks no daemon to start, and exits 0 on warnings")
    func warnings() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        let outcome = harness.run(["doctor"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("no daemon is running"))
        #expect(harness.launched.isEmpty)
    }

    @Test("Any bytes can be parsed as a database header")
    func headers() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...120, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if Bool.random(using: &generator) {
                bytes = Array("SQLite format 3\0".utf8) + bytes
            }
            let header = StoreHeader(bytes)
            let isWhole = bytes.count >= StoreHeader.bytes && bytes.first == UInt8(ascii: "S")
            switch header {
            case .empty: #expect(bytes.isEmpty)
            case .damaged: #expect(!bytes.isEmpty)
            case .own, .foreign: #expect(isWhole)
            case .missing: Issue.record("a file that is there is missing")
            }
        }
    }
}
