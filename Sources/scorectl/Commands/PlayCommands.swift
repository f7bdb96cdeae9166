import ControlSocket
import SyncProtocol

/// The commands of games that are played move by move.
enum PlayCommands {
    static var play: Command {
        Command(
            name: "play",
            summary: "play a move, in games that are played move by move",
            words: "MOVE...",
            count: 1...64,
            details: [
                "Without --player it is your move, once you have said who you are (see 'player"
                    + " me'), else that of whoever is to move. A move that the rules do not allow"
                    + " is refused and costs nothing; 'undo' takes a move back.",
                "The answer shows the board, where the game has one, with the move of a computer"
                    + " that comes within two seconds. Nobody moves for a computer: a list of"
                    + " moves that comes to its turn is refused whole.",
            ],
            options: [
                CommandOption(
                    name: "player",
                    value: "NAME",
                    summary: "whose move it is",
                    kind: .player
                ),
                CommandOption(name: "darts", value: "N", summary: "with how many darts (3)"),
            ],
            examples: [
                ("play d3", "a disc on d3"),
                ("play 60", "three darts that make 60 together"),
                ("play T20 T19 D12", "dart by dart"),
                ("play 26 --darts 2", "a leg that ends with the second dart"),
                ("play Ann", "a point that Ann won, in tennis and the like"),
                ("play 7/", "a spare, in bowling"),
            ],
            takesSession: true,
            takesDashes: true,
            action: .run(play)
        )
    }

    private static func play(_ call: Invocation) throws(ControlError) {
        var details: [String: String] = [:]
        if let darts = call.value("darts") { details["darts"] = darts }
        let request = PlayRequest(
            session: call.session,
            words: call.words,
            player: call.value("player"),
            details: details
        )
        let reply = try call.call(request)
        try call.report(reply, PlayedMove(reply: reply, page: call.form).lines)
    }

    static var reset: Command {
        Command(
            name: "reset",
            summary: "begin the game or the leg again, after a question",
            details: [
                "What it takes back is what the game calls a leg or a game; the question says it."
                    + " 'undo' brings all of it back."
            ],
            options: [.yes],
            takesSession: true,
            action: .run(reset)
        )
    }

    private static func reset(_ call: Invocation) throws(ControlError) {
        let reply = try call.confirmed(ResetRequest(session: call.session))
        try call.report(reply, [Line("Reset; to bring it back: scorectl undo")])
    }
}
