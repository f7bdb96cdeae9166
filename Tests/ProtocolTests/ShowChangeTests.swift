import SessionCRDT
import SyncProtocol
import Testing

/// `Documentation/PROTOCOL.md` shows the same texts.
struct ShowChangeTests {
    /// A change of which every part is there, and its bytes.
    private static let golden = [
        (
            event {
                var ann = ShownPlayer.Change(id: "a1", name: "Ann")
                ann.total = 28
                ann.rank = ExplicitNull(wrappedValue: 1)
                ann.cells = [cell("round", 2, "12+7+9", 28)]
                $0.document.players = [ann]
                $0.context.rows = [ShownRow(row: "round", round: 2, label: "Round 2")]
                $0.context.leaders = ["a1"]
            },
            #"{"change":{"context":{"leaders":["a1"],"rows":[{"computed":false,"label":"Round 2","#
                + #""round":2,"row":"round","scores":true}]},"document":{"players":[{"cells":[{"#
                + #""at":"2026-11-20T19:04:05.123Z","by":"kitchen","conflict":[],"count":28,"#
                + #""points":28,"revision":"9a1c63e0b7d24f58","round":2,"row":"round","#
                + #""value":"12+7+9"}],"id":"a1","name":"Ann","rank":1,"total":28}]}},"seq":8,"type":"change"}"#
        ),
        (
            event {
                var ann = ShownPlayer.Change(id: "a1", name: "Ann")
                ann.total = 0
                ann.rank = ExplicitNull(wrappedValue: nil)
                ann.cleared = [ShownPosition(row: "round", round: 2)]
                $0.document.players = [ann]
                $0.document.turn = ExplicitNull(wrappedValue: nil)
                $0.context.gone = [ShownPosition(row: "round", round: 2)]
                $0.context.leaders = []
            },
            #"{"change":{"context":{"gone":[{"round":2,"row":"round"}],"leaders":[]},"document":{"#
                + #""players":[{"cleared":[{"round":2,"row":"round"}],"id":"a1","name":"Ann","#
                + #""rank":null,"total":0}],"turn":null}},"seq":8,"type":"change"}"#
        ),
    ]

    private static func event(_ write: (inout ShowChange) -> Void) -> WatchEvent {
        var change = ShowChange()
        write(&change)
        return WatchEvent(seq: 8, .change(change))
    }

    private static func cell(
        _ row: String,
        _ round: Int?,
        _ text: String,
        _ points: Points
    ) -> ShownCell {
        ShownCell(
            row: row,
            round: round,
            value: .text(text),
            by: "kitchen",
            at: Timestamp(milliseconds: 1_795_201_445_123)
        ).with {
            $0.count = points
            $0.points = points
            $0.revision = "9a1c63e0b7d24f58"
        }
    }

    private static var show: ShowReply {
        ShowReply(
            document: ShowDocument(
                session: ShownSession(id: "s", title: "Friday", game: "g", status: "open"),
                players: ["a1", "b2"].enumerated().map { place, id in
                    ShownPlayer(id: id, name: id, seat: place + 1)
                }
            ).with { $0.turn = "a1" },
            context: ShowContext(gameName: "G").with {
                $0.order = ["round", "birds"]
                $0.me = "a1"
            }
        )
    }

    @Test("a change contains the fields that differ, and null differs from absent")
    func bytes() throws {
        for (event, json) in Self.golden {
            #expect(String(decoding: try ControlJSON.encode(event), as: UTF8.self) == json)
            #expect(try ControlJSON.decode(WatchEvent.self, from: Array(json.utf8)) == event)
        }
    }

    @Test("a snapshot contains the whole sheet")
    func snapshot() throws {
        let event = WatchEvent(seq: 3, .snapshot(Self.show))
        let json = try ControlJSON.encode(event)
        #expect(String(decoding: json, as: UTF8.self).hasPrefix(#"{"seq":3,"show":{"context":{"#))
        #expect(try ControlJSON.decode(WatchEvent.self, from: json) == event)
    }

    @Test("null removes a value, and absent fields are unchanged")
    func nothing() {
        var show = Self.show
        var change = ShowChange()
        change.document.finished = true
        show.apply(change)
        #expect(show.document.turn == "a1" && show.document.finished)
        change.document.turn = ExplicitNull(wrappedValue: nil)
        change.context.me = ExplicitNull(wrappedValue: nil)
        show.apply(change)
        #expect(show.document.turn == nil && show.context.me == nil)
    }

    @Test("cells are in the order of the sheet's rows, unknown rows by id, then by round")
    func order() {
        var show = Self.show
        let places =
            [
                ("birds", nil), ("round", 10), ("eggs", nil), ("round", 2), ("ants", 3),
                ("ants", nil),
            ] as [(String, Int?)]
        for (row, round) in places {
            var change = ShowChange()
            var ann = ShownPlayer.Change(id: "a1", name: "Ann")
            ann.cells = [Self.cell(row, round, row, 1)]
            change.document.players = [ann]
            show.apply(change)
        }
        func shown() -> [String] {
            show.document.players[0].cells.map { $0.row + ($0.round.map { ".\($0)" } ?? "") }
        }
        let all = ["round.2", "round.10", "birds", "ants", "ants.3", "eggs"]
        #expect(shown() == all)
        #expect(show.document.players[1].cells == [])
        var change = ShowChange()
        var ann = ShownPlayer.Change(id: "a1", name: "Ann")
        ann.cells = [Self.cell("round", 10, "7", 7)]
        // Clearing an absent cell has no effect.
        ann.cleared = [ShownPosition(row: "ants"), ShownPosition(row: "round", round: 3)]
        change.document.players = [ann]
        show.apply(change)
        #expect(shown() == all.filter { $0 != "ants" })
        #expect(show.document.players[0].cells[1].value == .text("7"))
    }
}
