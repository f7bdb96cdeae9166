import SyncProtocol

/// `scorectl doctor`: why laptops do not see each other, or scores are not kept.
enum DoctorCommand {
    /// The exit status where there is a problem.
    static let problemStatus: Int32 = 10

    static var command: Command {
        Command(
            name: "doctor",
            summary: "why laptops do not see each other, or scores are not kept",
            details: [
                "It looks at the state directory, the disk, the database, the control socket, the"
                    + " daemon, the ports, the interfaces, firewalls, the other laptops and the"
                    + " clocks. Of what is not well it says why, and what to do about it.",
                "It changes nothing and starts no daemon; one that runs broadcasts a single"
                    + " announcement, to see whether it comes back. It takes a second, and some"
                    + " seconds where something hangs.",
                "It exits 10 where there is a problem, and 0 otherwise: a warning is none. With"
                    + " --json it prints what was looked at: id, subject, state (ok, warning,"
                    + " problem), text, cause, cure and commands.",
            ],
            examples: [
                ("doctor", "the check list"),
                ("doctor --json", "for programs: ids and states stay the same"),
            ],
            action: .judge(look)
        )
    }

    private static func look(_ call: Invocation) throws(ControlError) -> Int32 {
        let paths = try call.paths()
        if call.console.isOutputTerminal, !call.isJSON {
            call.tell("Looking at this laptop and its network…")
        }
        let judgement = Judgement(
            facts: MachineSurvey(paths: paths).facts(),
            now: call.console.now()
        )
        let findings = judgement.machine + judgement.network
        try call.print(Document(checks: findings), DoctorPage(findings, form: call.form).lines)
        return findings.contains { $0.state == .problem } ? problemStatus : 0
    }

    /// What `--json` prints.
    struct Document: Encodable {
        let schema = 1
        let checks: [Finding]
    }
}

/// One thing that was looked at: how it is, and where it is not well why, and what to do about it.
struct Finding: Encodable, Hashable, Sendable {
    /// How it is.
    enum State: String, Encodable, Hashable, Sendable {
        /// Well.
        case ok
        /// Not as it should be, or about to cause trouble; games go on.
        case warning
        /// Laptops do not see each other because of it, or scores are not kept.
        case problem
    }

    /// What was looked at: a word that stays the same from version to version.
    let id: CheckID
    /// Which of several: an interface, a laptop.
    var subject: String?
    /// How it is.
    let state: State
    /// The same for people, in a line.
    let text: String
    /// Why it is so.
    var cause: String?
    /// What to do about it, in words.
    var cure: String?
    /// The same as lines to type.
    var commands: [String]?

    /// Something that is well.
    static func fine(_ id: CheckID, _ text: String, of subject: String? = nil) -> Finding {
        Finding(id: id, subject: subject, state: .ok, text: text)
    }
}

/// What `doctor` looks at, by the words that programs see.
enum CheckID: String, Encodable, Hashable, Sendable, CaseIterable {
    /// The state directory: there, this user's, closed to others.
    case home
    /// Room on the disk, and whether it takes what is written.
    case disk
    /// The database of scores.
    case store
    /// The control socket and its directory.
    case socket
    /// Whether the daemon runs and answers, and who holds the lock.
    case daemon
    /// Whether daemon and command line are of one version, and the daemon's program in its place.
    case version
    /// The sessions: readable, and with their keys.
    case sessions
    /// The TCP port on which other laptops call.
    case port
    /// The interfaces, and what announcing on each gave.
    case interface
    /// Whether what is announced comes back.
    case echo
    /// The firewalls of this machine.
    case firewall
    /// Each other laptop: linked, or why not.
    case peer
    /// Whether announcements of a linked laptop come through.
    case broadcast
    /// The clocks.
    case clock
    /// Whether a home directory was copied.
    case clone
    /// Anything else that `status` says.
    case alarm
}

/// What `doctor` prints: a line for what is well, and a paragraph for what is not.
struct DoctorPage {
    private let findings: [Finding]
    private let form: PageForm

    /// The page of findings.
    init(_ findings: [Finding], form: PageForm) {
        self.findings = findings
        self.form = form
    }

    /// The lines of the page.
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
        lines += paragraph("do", finding.cure)
        lines += (finding.commands ?? []).map { indented("", Line($0, .strong)) }
        return lines
    }

    /// Columns for the text of a finding.
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
        case .ok: Line(form.isUnicode ? "✓" : "-", .good)
        case .warning: Line("!", .warning)
        case .problem: Line(form.isUnicode ? "✗" : "x", .bad)
        }
    }

    private var summary: Line {
        let problems = findings.count { $0.state == .problem }
        let warnings = findings.count { $0.state == .warning }
        guard problems + warnings > 0 else { return Line("All is well.", .good) }
        let counts = [
            Self.count(problems, "problem"), Self.count(warnings, "warning"),
        ].compactMap(\.self)
        return Line(counts.joined(separator: ", ") + ".", problems > 0 ? .bad : .warning)
    }

    private static func count(_ number: Int, _ word: String) -> String? {
        number == 0 ? nil : number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }
}
