import LaptopKit
import Testing

/// A match of darts of which the mode is changed on a laptop that is apart.
@Suite(.timeLimit(.minutes(10)))
struct LateModeTests {
    @Test("A start that was chosen while apart after the first visit is flagged on both laptops")
    func start() throws {
        let table = try Companions("Ann", "Bob", game: "darts")
        let (ann, bob) = (table[0], table[1])
        for laptop in table.laptops { try laptop.run("daemon", "offline") }
        try ann.run("play", "180")
        try ann.run("play", "100", "--player", "Bob")
        try ann.run("play", "180")
        try bob.run("session", "option", "start=301")
        for laptop in table.laptops { try laptop.run("daemon", "online") }
        try table.settle()
        for laptop in table.laptops {
            let page = try laptop.run("show")
            #expect(page.contains("501 double out") && !page.contains("bust"), "\(page)")
            #expect(page.contains("this match has 501, as its first visit recorded"), "\(page)")
        }
        let refused = try bob.attempt("session", "option", "start=401")
        #expect(refused.status == 5, "\(refused)")
        try bob.run("session", "new", "--again", "--yes")
        #expect(try bob.run("show").contains("301 double out"))
    }
}
