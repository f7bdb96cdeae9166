import SyncProtocol
import TerminalText

/// `scorectl doctor`: diagnoses laptops that do not link, and scores that are not saved.
enum DoctorCommand {
    static let problemStatus: Int32 = 10

    static let command = Command(
        usage: "doctor",
        summary: "check why laptops do not connect, or scores are not saved",
        details: "Checks the state directory, the disk, the database, the control socket, the"
            + " daemon, the ports, the interfaces, firewalls, the other laptops and the clocks."
            + " Reports each problem with its cause and remedy.\n"
            + "Changes nothing and starts no daemon; a running daemon broadcasts a single"
            + " announcement, to see whether it comes back. Takes a second, or a few if something"
            + " hangs.\n"
            + "Exits with status 10 if there is a problem, otherwise 0, even with warnings. With"
            + " --json it prints each check: id, subject, state (ok, warning, problem), text,"
            + " cause, cure and commands.",
        examples: [
            ("doctor", "the check list"),
            ("doctor --json", "for programs: ids and states stay the same"),
        ],
        action: .runWithStatus(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) -> Int32 {
        let paths = try call.paths()
        if call.console.isOutputTerminal, !call.isJSON {
            call.inform("Checking this laptop and its network…")
        }
        let facts = MachineSurvey(paths: paths).facts()
        let diagnostics = Diagnostics(facts: facts, now: call.console.now())
        let findings = diagnostics.machine + diagnostics.network
        try call.print(
            ["schema": 1, "checks": findings] as JSONDocument,
            DoctorPage(findings: findings, form: call.form).lines
        )
        return findings.contains { $0.state == .problem } ? problemStatus : 0
    }
}

/// The result of one check: its state and, unless it is ok, the cause and the remedy.
struct Finding: Encodable, Hashable, Sendable {
    enum State: String, Encodable, Hashable, Sendable {
        case ok
        /// A minor or imminent problem; games go on.
        case warning
        /// Laptops cannot see each other, or scores are not saved.
        case problem
    }

    let id: CheckID
    /// The interface, laptop or file that was checked, if there are several.
    var subject: String?
    let state: State
    let text: String
    var cause: String?
    var remedy: String?
    var commands: [String]?

    private enum CodingKeys: String, CodingKey {
        case id, subject, state, text, cause
        case remedy = "cure"
        case commands
    }

    static func ok(_ id: CheckID, _ text: String, of subject: String? = nil) -> Finding {
        Finding(id: id, subject: subject, state: .ok, text: text)
    }

    static func warning(_ id: CheckID, _ text: String, of subject: String? = nil) -> Finding {
        Finding(id: id, subject: subject, state: .warning, text: text)
    }

    static func problem(_ id: CheckID, _ text: String, of subject: String? = nil) -> Finding {
        Finding(id: id, subject: subject, state: .problem, text: text)
    }

    func because(_ cause: String) -> Finding { with(\.cause, cause) }
    func fix(_ remedy: String) -> Finding { with(\.remedy, remedy) }
    func run(_ commands: [String]?) -> Finding { with(\.commands, commands) }

    private func with<Value>(_ field: WritableKeyPath<Finding, Value>, _ value: Value) -> Finding {
        var finding = self
        finding[keyPath: field] = value
        return finding
    }
}

/// The checks, by the words of `--json`, which stay the same from version to version.
enum CheckID: String, Encodable, Hashable, Sendable, CaseIterable {
    case home, disk, store, socket, daemon, version, sessions
    /// Whether this system has a network of its own inside of another one.
    case host
    /// The TCP port on which other laptops connect.
    case port
    case interface
    /// Whether announcements come back to this laptop.
    case echo
    case firewall
    /// Each other laptop: whether it is linked, and if not, why.
    case peer
    /// Whether announcements of a linked laptop arrive.
    case broadcast
    case clock
    /// Whether a home directory was copied and is used twice.
    case clone
    /// Any other alarm of `status`.
    case alarm
}

/// The output of `doctor`: a line for each passed check, and a paragraph for each finding.
struct DoctorPage {
    let findings: [Finding]
    let form: PageFormat

    var lines: [Line] { findings.flatMap(lines) + [Line(), summary] }

    private static let margin = 2 + (CheckID.allCases.map(\.rawValue.count).max() ?? 0) + 1

    private func lines(of finding: Finding) -> [Line] {
        let head = mark(finding.state) + Line(" " + finding.id.rawValue)
        let texts = TextWidth.wrapped(finding.text, to: width)
        var lines = texts.enumerated().map { index, text in
            (index == 0 ? head : Line()).padded(to: Self.margin, .left)
                + Line(text, finding.state == .ok ? .plain : .strong)
        }
        lines += paragraph("why", finding.cause)
        lines += paragraph("do", finding.remedy)
        lines += (finding.commands ?? []).map { indented("", Line($0, .strong)) }
        return lines
    }

    private var width: Int { max(24, form.columns - Self.margin) }

    private func paragraph(_ title: String, _ text: String?) -> [Line] {
        guard let text else { return [] }
        return TextWidth.wrapped(text, to: width - 5).enumerated().map { index, line in
            indented(index == 0 ? title : "", Line(line))
        }
    }

    private func indented(_ title: String, _ line: Line) -> Line {
        Line().padded(to: Self.margin, .left) + Line(title, .faint).padded(to: 5, .left) + line
    }

    private func mark(_ state: Finding.State) -> Line {
        switch state {
        case .ok: Line("✓", .good)
        case .warning: Line("!", .warning)
        case .problem: Line("✗", .bad)
        }
    }

    private var summary: Line {
        let problems = findings.count { $0.state == .problem }
        let warnings = findings.count { $0.state == .warning }
        guard problems + warnings > 0 else { return Line("No problems found.", .good) }
        let counts = [(problems, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
            .map(Plural.text)
        return Line(counts.joined(separator: ", ") + ".", problems > 0 ? .bad : .warning)
    }
}
