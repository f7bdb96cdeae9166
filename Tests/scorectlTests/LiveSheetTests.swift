import SyncProtocol
import Testing

@testable import scorectl

@Suite("The sheet of a watcher")
struct LiveSheetTests {
    private func change(_ seq: Int, unsynced: Int) -> WatchEvent {
        var change = ShowChange()
        change.context.unsynced = unsynced
        return WatchEvent(seq: seq, .change(change))
    }

    @Test("applies changes from the number of its snapshot on")
    func changes() throws {
        var sheet = LiveSheet()
        #expect(sheet.show == nil)
        try sheet.apply(WatchEvent(seq: 41, .snapshot(Sample.friday)))
        try sheet.apply(change(42, unsynced: 8))
        try sheet.apply(change(43, unsynced: 9))
        var expected = Sample.friday
        expected.context.unsynced = 9
        #expect(sheet.show == expected)
        // A fresh snapshot may have any number.
        try sheet.apply(WatchEvent(seq: 1, .snapshot(Sample.friday)))
        try sheet.apply(change(2, unsynced: 8))
        #expect(sheet.show?.context.unsynced == 8)
    }

    @Test("notices that a change was left out")
    func gap() throws {
        var sheet = LiveSheet()
        #expect(throws: ControlError.self) { try sheet.apply(change(1, unsynced: 8)) }
        try sheet.apply(WatchEvent(seq: 3, .snapshot(Sample.friday)))
        for seq in [3, 5] {
            #expect(throws: ControlError.self) { try sheet.apply(change(seq, unsynced: 8)) }
        }
        #expect(sheet.show == Sample.friday)
    }
}
