import ScoreSheets
import SessionCRDT
import Testing

@Suite("Suggested checkouts")
struct DartsCheckoutTests {
    @Test(
        "every score that can be finished has a valid route, and no other has one",
        arguments: DartsOut.allCases,
        1...3
    )
    func valid(out: DartsOut, darts: Int) throws {
        for left in -1...200 {
            let canFinish = DartsTotals.canFinish(left, darts: darts, out: out, isOpening: false)
            guard let route = DartsCheckout.route(for: left, darts: darts, out: out) else {
                #expect(!canFinish, "\(left) has no route")
                continue
            }
            #expect(canFinish, "\(left) \(route)")
            #expect(route.count <= darts)
            #expect(route.reduce(0) { $0 + $1.points } == left)
            #expect(out.allows(try #require(route.last)))
            #expect(!route.contains(.miss))
            // No route is longer than it must be.
            for fewer in 1..<max(route.count, 2) where fewer < route.count {
                #expect(
                    !DartsTotals.canFinish(left, darts: fewer, out: out, isOpening: false),
                    "\(left)"
                )
            }
        }
    }

    @Test(
        "the routes are those that players know",
        arguments: [
            (170, "T20 T20 BULL"), (167, "T20 T19 BULL"), (164, "T20 T18 BULL"),
            (161, "T20 T17 BULL"), (160, "T20 T20 D20"), (158, "T20 T20 D19"),
            (157, "T20 T19 D20"), (156, "T20 T20 D18"), (152, "T20 T20 D16"),
            (145, "T20 T19 D14"), (141, "T20 T19 D12"), (140, "T20 T20 D10"), (136, "T20 T20 D8"),
            (132, "T20 T16 D12"), (128, "T18 T18 D10"), (126, "T19 T19 D6"),
            (125, "T18 T17 D10"), (121, "T20 T15 D8"), (120, "T20 S20 D20"), (119, "T19 T18 D4"),
            (110, "T20 BULL"), (107, "T19 BULL"),
            (100, "T20 D20"), (98, "T20 D19"), (96, "T20 D18"), (92, "T20 D16"),
            (81, "T19 D12"), (76, "T20 D8"), (61, "T15 D8"), (60, "S20 D20"), (50, "BULL"),
            (41, "S9 D16"),
            (40, "D20"), (32, "D16"), (15, "S7 D4"), (3, "S1 D1"), (2, "D1"),
        ]
    )
    func known(left: Int, route: String) {
        let told = DartsCheckout.route(for: left, darts: 3, out: .double)
        #expect(told?.map(\.description).joined(separator: " ") == route)
    }

    @Test("the first of three darts may hit the single, where a triple for that exists")
    func safe() throws {
        for left in 2...170 {
            guard let route = DartsCheckout.route(for: left, darts: 3, out: .double),
                route.count == 3
            else { continue }
            func keeps(_ dart: Dart) -> Bool {
                [dart.number, dart.points].allSatisfy {
                    DartsCheckout.route(for: left - $0, darts: 2, out: .double) != nil
                }
            }
            let exists = Dart.scoring.contains { $0.ring == .triple && keeps($0) }
            #expect(!exists || route[0].ring == .triple && keeps(route[0]), "\(left)")
            #expect(!(119...128).contains(left) || exists)
        }
    }

    @Test("straight and master out have more checkouts")
    func others() {
        func route(_ left: Int, _ out: DartsOut) -> String? {
            DartsCheckout.route(for: left, darts: 3, out: out)?.map(\.description)
                .joined(separator: " ")
        }
        #expect(route(180, .straight) == "T20 T20 T20")
        #expect(route(180, .master) == "T20 T20 T20")
        #expect(route(180, .double) == nil)
        #expect(route(20, .straight) == "S20")
        #expect(route(1, .straight) == "S1")
        #expect(route(1, .master) == nil)
        #expect(route(3, .master) == "T1")
        #expect(route(57, .master) == "T19")
        #expect(route(60, .straight) == "T20")
        #expect(route(41, .straight) == "S9 D16")
        #expect(route(25, .straight) == "S25")
    }

    @Test("the outer bull is shown as 25, as it is typed")
    func outerBull() throws {
        var game = try DartsTable("Ann", start: 25)
        game.set("out", .text("straight"))
        #expect(game.column("Checkout") == ["25"])
        #expect(game.standings.told == ["Ann to throw, 25 left: 25"])
        for dart in Dart.scoring {
            let visit = try DartsVisit(typed: [dart.words, "MISS", "MISS"])
            #expect(visit == .darts([dart, .miss, .miss]))
        }
    }
}
