import ScoreSheets
import Testing

@Suite("Scores of bowling, by the playing rules of the USBC, 2a–2g")
struct BowlingStandTests {
    /// The stand after these frames.
    static func stand(_ frames: String) throws -> BowlingState {
        var stand = BowlingState()
        for (index, frame) in frames.split(separator: " ").enumerated() {
            stand.add(try BowlingFrame(typed: [String(frame)], number: index + 1))
        }
        return stand
    }

    @Test(
        "whole games",
        arguments: [
            ("X X X X X X X X X XXX", 300), ("-- -- -- -- -- -- -- -- -- --", 0),
            ("9- 9- 9- 9- 9- 9- 9- 9- 9- 9-", 90), ("5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/5", 150),
            ("9/ 9/ 9/ 9/ 9/ 9/ 9/ 9/ 9/ 9/X", 191), ("X 9/ X 9/ X 9/ X 9/ X 9/X", 200),
            ("9/ X 9/ X 9/ X 9/ X 9/ X9/", 200), ("X 7/ 9- X -8 8/ -6 X X X81", 167),
            ("-/ -/ -/ -/ -/ -/ -/ -/ -/ -/-", 100), ("X X X X X X X X X XX9", 299),
            ("X X X X X X X X X 72", 265), ("-- -- -- -- -- -- -- -- -- XXX", 30),
        ]
    )
    func games(frames: String, total: Int) throws {
        let stand = try Self.stand(frames)
        #expect(stand.isOver)
        #expect(stand.total == total)
        #expect(stand.highest == total)
        #expect(stand.runningScores.last == total)
    }

    @Test("a frame has a running score once all balls that count in it are bowled")
    func running() throws {
        let whole = try Self.stand("X 7/ 9- X -8 8/ -6 X X X81")
        #expect(whole.runningScores == [20, 39, 48, 66, 74, 84, 90, 120, 148, 167])
        #expect(try Self.stand("").runningScores == [])
        #expect(try Self.stand("X").runningScores == [nil])
        #expect(try Self.stand("X X").runningScores == [nil, nil])
        #expect(try Self.stand("X X 7/").runningScores == [27, 47, nil])
        #expect(try Self.stand("X X X").runningScores == [30, nil, nil])
        #expect(try Self.stand("9/ 72").runningScores == [17, 26])
    }

    @Test("the score so far includes the known part of a bonus")
    func points() throws {
        #expect(try Self.stand("X").points == [10])
        #expect(try Self.stand("X X").points == [20, 10])
        #expect(try Self.stand("X X 7/").points == [27, 20, 10])
        #expect(try Self.stand("X X 7/ 5-").total == 27 + 20 + 15 + 5)
    }

    @Test("the highest possible score counts strikes from here on")
    func highest() throws {
        #expect(BowlingState().highest == 300)
        #expect(try Self.stand("X X").highest == 300)
        #expect(try Self.stand("9/").highest == 290)
        #expect(try Self.stand("9-").highest == 279)
        #expect(try Self.stand("X X X X X X X X 9-").highest == 267)
        #expect(try Self.stand("-- -- -- -- -- -- -- -- --").highest == 30)
    }

    @Test("strikes, spares and open frames are counted, each ball of the last frame too")
    func marks() throws {
        func marks(_ frames: String) throws -> [Int] {
            let frames = try Self.stand(frames).frames
            return [
                frames.map(\.strikes).reduce(0, +), frames.map(\.spares).reduce(0, +),
                frames.count(where: \.isOpen),
            ]
        }
        #expect(try marks("X X X X X X X X X XXX") == [12, 0, 0])
        #expect(try marks("X 9/ X 9/ X 9/ X 9/ X 9/X") == [6, 5, 0])
        #expect(try marks("X 7/ 9- X -8 8/ -6 X X X81") == [5, 2, 3])
        #expect(try marks("-- -- -- -- -- -- -- -- -- X7/") == [1, 1, 9])
    }

    @Test("a frame after the last one changes nothing")
    func after() throws {
        var stand = try Self.stand("X X X X X X X X X XXX")
        stand.add(try BowlingFrame(typed: ["XXX"], number: 10))
        #expect(stand.total == 300)
    }
}
