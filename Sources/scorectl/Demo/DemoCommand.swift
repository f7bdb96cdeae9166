import SyncProtocol

/// `scorectl demo`: three laptops on this machine, a cut cable, and nothing lost.
enum DemoCommand {
    static var command: Command {
        Command(
            name: "demo",
            summary: "watch three laptops keep one score sheet, on this machine alone",
            details: [
                "Starts three daemons with homes of their own, which talk over loopback only, plays"
                    + " a short game through this command line, cuts one laptop off while all go"
                    + " on, brings it back and shows that nothing was lost. It cleans up after"
                    + " itself and touches neither your sessions nor your network."
            ],
            action: .run { call throws(ControlError) in
                let stage = try DemoStage(call)
                defer { stage.clear() }
                try DemoPlay(stage).perform()
            }
        )
    }
}
