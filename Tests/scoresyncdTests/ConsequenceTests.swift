import LaptopKit
import SyncProtocol
import Testing

/// Notes in a reply about entries that the command did not write.
@Suite(.timeLimit(.minutes(10)))
struct ConsequenceTests {
    private func match(_ visits: String...) throws -> Laptop {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "darts", "--player", "Ann", "--player", "Bob")
        for visit in visits { try laptop.run("play", visit) }
        return laptop
    }

    @Test("A correction reports visits with another result, or that do not count any more")
    func correction() throws {
        let laptop = try match("60", "45", "180", "26", "180")
        let notes = try laptop.read(WrittenReply.self, "score", "Ann", "visit.1=180").notes
        #expect(
            notes.contains("this changes another entry: Ann, Visit 5 now counts 0 instead of 180")
        )
        let cleared = try laptop.read(WrittenReply.self, "clear", "Ann", "visit.1").notes
        let words =
            "this changes 4 other entries: Ann, Visit 3 does not count any more; "
            + "Ann, Visit 5 does not count any more; Bob, Visit 2 does not count any more; "
            + "and 1 more"
        let byPlayer =
            "this changes 4 other entries: Bob, Visit 2 does not count any more; "
            + "Bob, Visit 4 does not count any more; Ann, Visit 3 does not count any more; "
            + "and 1 more"
        #expect(cleared.contains(words) || cleared.contains(byPlayer), "\(cleared)")
        let played = try laptop.read(PlayReply.self, "play", "60").notes
        #expect(played.contains { $0.hasPrefix("this changes 4 other entries: ") }, "\(played)")
        #expect(!played.contains { $0.contains("to throw") }, "\(played)")
        let undone = try laptop.read(WrittenReply.self, "undo").notes
        #expect(undone.contains { $0.hasPrefix("this changes 4 other entries: ") }, "\(undone)")
    }

    @Test("A correction that undoes a leg names its winner")
    func undone() throws {
        let laptop = try match("180", "26", "180", "26", "141")
        let notes = try laptop.read(WrittenReply.self, "score", "Ann", "visit.1=121").notes
        #expect(notes.contains("this takes back a result: leg 1, which Ann won"), "\(notes)")
        let undone = try laptop.read(WrittenReply.self, "undo").notes
        #expect(!undone.contains { $0.contains("takes back") }, "\(undone)")
    }

    @Test("A move or undo without side effects reports none")
    func nothing() throws {
        let laptop = try match("60", "45")
        let played = try laptop.read(PlayReply.self, "play", "60").notes
        #expect(!played.contains { $0.contains("changes") }, "\(played)")
        let undone = try laptop.read(WrittenReply.self, "undo").notes
        #expect(!undone.contains { $0.contains("changes") }, "\(undone)")
    }
}
