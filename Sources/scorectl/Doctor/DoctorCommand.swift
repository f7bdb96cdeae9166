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
