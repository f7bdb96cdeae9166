import LaptopKit
import Testing

@Suite("The demo", .timeLimit(.minutes(10)))
struct DemoTests {
    @Test("plays to its end, in ASCII if the locale is")
    func ascii() throws {
        let program = try Programs.path(of: "scorectl")
        let outcome = try Running([program, "demo"], adding: ["LC_ALL=C"], .captured).outcome()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("nothing lost.") && outcome.output.contains("  + the same"))
        #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 }, "\(outcome.output)")
    }
}
