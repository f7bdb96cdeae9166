import BoardSite
import Testing

@Suite("How often the board asks for the chart")
struct ChartPaceTests {
    @Test("at once after a change, and then a second later for all that has changed meanwhile")
    func pace() {
        var pace = ChartPace()
        let changes: Set<Int64> = [5_000, 5_200, 5_900, 9_000]
        let asked = (Int64(4_990)...9_010).filter { now in
            if changes.contains(now) { pace.change(at: now) }
            return pace.ask(at: now)
        }
        #expect(asked == [5_000, 6_000, 9_000])
        #expect(pace.due == nil)
    }

    @Test("it says when it is due")
    func due() {
        var pace = ChartPace()
        pace.change(at: 5_000)
        #expect(pace.due == 5_000)
    }
}
