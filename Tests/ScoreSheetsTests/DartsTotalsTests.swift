import ScoreSheets
import Testing

@Suite("Possible totals of darts, enumerated dart by dart")
struct DartsTotalsTests {
    private static let board = Dart.scoring + [.miss]

    /// The results of visits thrown dart by dart, from a number of points left.
    private struct Ways: Equatable {
        var ends: Set<Int> = []
        var busts: Set<Int> = []
    }

    /// Throws every dart at every turn, and notes after how many darts it can be over.
    private func ways(_ left: Int, _ out: DartsOut, isOpening: Bool) -> Ways {
        var ways = Ways()
        var states: Set<[Int]> = [[left, isOpening ? 0 : 1]]
        for darts in 1...3 {
            var next: Set<[Int]> = []
            for state in states {
                for dart in DartsTotalsTests.board {
                    let isOpen = state[1] == 1 || dart.ring == .double
                    let rest = isOpen ? state[0] - dart.points : state[0]
                    if rest == 0, out.allows(dart) {
                        ways.ends.insert(darts)
                    } else if rest < (out == .straight ? 1 : 2) {
                        ways.busts.insert(darts)
                    } else {
                        next.insert([rest, isOpen ? 1 : 0])
                    }
                }
            }
            states = next
        }
        return ways
    }

    @Test("a board has 62 darts that score, and a miss")
    func board() {
        #expect(Set(Dart.scoring).count == 62)
        #expect(Set(Dart.scoring.map(\.description)).count == 62)
        #expect(Dart.scoring.map(\.points).max() == 60)
        #expect(Dart.miss.points == 0)
    }

    @Test("three darts cannot make 163 166 169 172 173 175 176 178 179, nor more than 180")
    func three() {
        let impossible = (0...400).filter {
            !DartsTotals.isPossible($0, darts: 3, isOpening: false)
        }
        #expect(impossible == [163, 166, 169, 172, 173, 175, 176, 178, 179] + Array(181...400))
    }

    @Test("two darts cannot make these, nor more than 120")
    func two() {
        let impossible = (0...120).filter {
            !DartsTotals.isPossible($0, darts: 2, isOpening: false)
        }
        #expect(impossible == [103, 106, 109, 112, 113, 115, 116, 118, 119])
    }

    @Test("one dart cannot make these, nor more than 60")
    func one() {
        let impossible = (0...60).filter {
            !DartsTotals.isPossible($0, darts: 1, isOpening: false)
        }
        #expect(impossible == [23, 29, 31, 35, 37, 41, 43, 44, 46, 47, 49, 52, 53, 55, 56, 58, 59])
    }

    @Test("a total is possible if some darts make it, also after an opening double")
    func possible() {
        var sums: Set<[Int]> = [[0, 0]]
        var plain: Set<Int> = [0]
        for darts in 1...3 {
            sums = Set(
                sums.flatMap { sum in
                    DartsTotalsTests.board.map { dart in
                        let isOpen = sum[1] == 1 || dart.ring == .double
                        return isOpen ? [sum[0] + dart.points, 1] : sum
                    }
                }
            )
            plain = Set(plain.flatMap { sum in DartsTotalsTests.board.map { sum + $0.points } })
            let opened = Set(sums.map { $0[0] })
            for total in -1...200 {
                let isPossible = DartsTotals.isPossible(total, darts: darts, isOpening: false)
                let isOpening = DartsTotals.isPossible(total, darts: darts, isOpening: true)
                #expect(isPossible == plain.contains(total), "\(total) with \(darts)")
                #expect(isOpening == opened.contains(total), "\(total) with \(darts)")
            }
        }
    }

    @Test("a double takes out at most 170, and not 159 162 163 165 166 168 169")
    func doubleOut() {
        let finishes = (0...200).filter {
            DartsTotals.canFinish($0, darts: 3, out: .double, isOpening: false)
        }
        let not: Set = [159, 162, 163, 165, 166, 168, 169]
        #expect(finishes == (2...170).filter { !not.contains($0) })
    }

    @Test(
        "finishes and busts are possible exactly if some darts result in them",
        arguments: DartsOut.allCases,
        [false, true]
    )
    func ends(out: DartsOut, isOpening: Bool) {
        for left in out.minLeft...200 {
            let ways = ways(left, out, isOpening: isOpening)
            for darts in 1...3 {
                #expect(
                    DartsTotals.canFinish(left, darts: darts, out: out, isOpening: isOpening)
                        == ways.ends.contains(darts),
                    "finish \(left) with \(darts)"
                )
                #expect(
                    DartsTotals.canBust(left, darts: darts, out: out, isOpening: isOpening)
                        == ways.busts.contains(darts),
                    "bust \(left) with \(darts)"
                )
            }
        }
    }

    @Test("no number of darts or points traps")
    func bounds() {
        for number in [Int.min, -1, 0, 4, 181, 182, .max] {
            #expect(!DartsTotals.isPossible(3, darts: number, isOpening: false) || number == 0)
            #expect(
                !DartsTotals.canFinish(number, darts: 3, out: .double, isOpening: true)
                    || number == 4
            )
            #expect(!DartsTotals.canBust(number, darts: 9, out: .straight, isOpening: false))
        }
    }
}
