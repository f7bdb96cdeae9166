import BoardKit
import ControlSocket
import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct BoardTests {
        @Test("A score of another laptop is on a board as soon as watchers get it")
        func quick() throws {
            let lab = try Lab("ann", "bob")
            try lab.play("Ann", "Bob")
            try lab[0].run("score", "Ann", "round.1=1")
            try lab[1].waitUntilSynced()
            let watcher = try ControlClient(path: lab[1].home + "/control.sock", client: "test")
            _ = try watcher.call(.watch, .init())
            let board = try RunningBoard(lab[1])
            let page = try EventStream(board)
            let writer = try ControlClient(path: lab[0].home + "/control.sock", client: "test")
            var (watched, paged): (LiveSheet, ShowReply?) = (LiveSheet(), nil)
            while paged == nil { try apply(page.next(), to: &paged) }
            var delays: [Duration] = []
            for round in 2...31 {
                _ = try writer.call(.score, .init(words: ["Ann", "round.\(round)=\(round)"]))
                try eventually(within: .seconds(10), everyMilliseconds: 0, "round \(round)") {
                    _ = try watcher.wait(orFor: [-1], milliseconds: 100)
                    while let event = try watcher.event(WatchEvent.self, method: WatchEvent.method)
                    {
                        try watched.apply(event)
                    }
                    return shows(watched.show, round)
                }
                delays.append(
                    try eventually(within: .seconds(10), everyMilliseconds: 0, "on the page") {
                        if shows(paged, round) { return true }
                        try apply(page.next(), to: &paged)
                        return false
                    }
                )
            }
            #expect(delays.sorted()[delays.count / 2] < .milliseconds(50), "\(delays)")
        }

        /// Takes in what a page is told.
        private func apply(_ event: EventStream.Event?, to show: inout ShowReply?) throws {
            switch event?.name {
            case "snapshot": show = try event?.decoded(as: ShowReply.self)
            case "change":
                if let change = try event?.decoded(as: ShowChange.self) { show?.apply(change) }
            case nil: throw Failure("the board has ended")
            default: break
            }
        }

        private func shows(_ show: ShowReply?, _ round: Int) -> Bool {
            show?.document.players.contains { $0.cells.contains { $0.round == round } } ?? false
        }
    }
}
