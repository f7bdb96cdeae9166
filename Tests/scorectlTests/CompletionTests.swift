import SyncProtocol
import Testing

@testable import scorectl

@Suite("Completion below a live sheet")
struct CompletionTests {
    private func completed(_ head: String, on show: ShowReply = Sample.friday) -> LineCompletion {
        LineCompletion(of: head, on: show, among: CommandTree.commands)
    }

    private static let withClara = Sample.show(
        [Sample.player("Clara", seat: 1, [], rank: nil)],
        rounds: 1
    )

    @Test("goes on with players, their next round, commands and options")
    func clear() {
        #expect(completed("An").head == "Ann ")
        #expect(completed("an").head == "Ann ")
        #expect(completed("C", on: Self.withClara).head == "Clara ")
        #expect(completed("Bob ").head == "Bob round.3=")
        #expect(completed("score Ann r").head == "score Ann round.4=")
        #expect(completed("und").head == "undo ")
        #expect(completed("player ren").head == "player rename ")
        #expect(completed("clear 张").head == "clear 张伟 ")
        #expect(completed("play 26 --d").head == "play 26 --darts ")
        #expect(completed("zzz").head == "zzz")
    }

    @Test("completes unambiguous text, and lists the choices")
    func choices() {
        let clear = completed("clear Bob ")
        #expect(clear.head == "clear Bob round.")
        #expect(clear.choices == ["round.1", "round.2"])
        #expect(completed("").head.isEmpty)
        #expect(completed("").choices.contains("Ann"))
        let player = completed("re")
        #expect(player.choices == ["resolve", "reset", "results"])
        #expect(player.head == "res")
    }

    @Test("quotes names that contain spaces")
    func quotes() {
        let players = ["Bob the Great", "Bob the Small", "O'Neil"].enumerated()
            .map { Sample.player($1, seat: $0 + 1, [], rank: nil) }
        let show = Sample.show(players, rounds: 1)
        #expect(completed("Bob", on: show).head == "'Bob the ")
        #expect(completed("'Bob the G", on: show).head == "'Bob the Great' ")
        #expect(completed("score O", on: show).head == #"score 'O'\''Neil' "#)
        #expect(completed("'Bob the Great' ", on: show).head == "'Bob the Great' round.1=")
    }

    @Test("offers the squares that can be played")
    func squares() {
        var show = Sample.friday
        show.context.engine = "reversi"
        let board = ShownBoard(squares: ["...."], pieces: [], legal: ["c3", "d6"], last: nil)
        show.document.panels = [.board(board)]
        #expect(completed("d", on: show).head == "d6 ")
        #expect(completed("play c", on: show).head == "play c3 ")
    }
}
