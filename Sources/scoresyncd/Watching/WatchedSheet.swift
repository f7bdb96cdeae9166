import ControlSocket
import ScoreSheets
import SyncProtocol

/// The sheet of a session that somebody watches: what has changed in it, what was told of it, and
/// the feed that tells it.
///
/// A change is rendered once, whoever watches, and not at all where nobody has room for it.
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class WatchedSheet: @unchecked Sendable {
    /// How often something was rendered.
    private(set) var renderings = 0
    /// What goes out to the watchers.
    private(set) lazy var feed = WatchFeed { @Sendable [unowned self] () throws(ControlError) in
        try snapshot()
    }

    private let session: any WatchedSession
    /// What has changed and was not told; nil of nothing.
    private var untold: ScoreboardChange?
    /// What all who are not behind have been told; nil while all are.
    private var told: ToldSheet?

    /// A sheet that nobody watches yet.
    init(_ session: any WatchedSession) {
        self.session = session
    }

    /// Notes that something differs, if only of what this device alone knows.
    func changed(_ change: ScoreboardChange) {
        untold = untold ?? ScoreboardChange()
        untold?.merge(change)
    }

    /// Tells what has changed since this was last called, if it looks different.
    func tell() {
        guard let change = untold else { return }
        untold = nil
        guard feed.isHeard else {
            // Each gets a snapshot once there is room.
            told = nil
            return feed.skip()
        }
        do throws(ControlError) {
            // What is around the sheet is compared, and not rendered.
            if told == nil || !change.isEmpty { renderings += 1 }
            if let news = try told?.change(change, in: session) {
                if !news.isEmpty { feed.tell(.change(news)) }
            } else {
                feed.tell(.snapshot(try whole()))
            }
        } catch { feed.end(error) }
    }

    /// The whole sheet, for somebody who has nothing that a change could be told of.
    private func snapshot() throws(ControlError) -> ShowReply {
        // The others are told first: what a snapshot shows and what they have must be the same,
        // and what is around the sheet changes without a word.
        changed(ScoreboardChange())
        tell()
        renderings += 1
        return try whole()
    }

    private func whole() throws(ControlError) -> ShowReply {
        let rendering = try SheetRendering(session)
        told = ToldSheet(rendering, in: session)
        return rendering.show(session)
    }
}
