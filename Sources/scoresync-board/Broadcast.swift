import BoardSite
import CMicroHTTPD
import SyncProtocol
import Synchronization

/// What all open pages are told: the sheet as it is, then each change, as server-sent events
/// (HTML Standard, "Server-sent events").
///
/// The thread that follows the daemon tells; the server's thread takes what each page has room for.
/// A page that has nothing to take is suspended, so that it costs nothing; one that takes nothing
/// is cut.
final class Broadcast: Sendable {
    /// The most pages that are told at once.
    static let mostPages = 400

    private struct Page {
        /// The connection, as the server calls it.
        let connection: UInt
        let descriptor: Int32
        let visitor: Site.Visitor
        var queue: PageQueue
        var isAsleep = false
        /// Whether it is being closed.
        var isCut = false
    }

    private struct State {
        var show: ShowReply?
        /// The sheet as an event; nil until somebody needs it.
        var snapshot: [UInt8]?
        /// The links as an event; nil where phones enter nothing.
        var links: [UInt8]?
        /// The chart as an event; nil before it was asked for.
        var chart: [UInt8]?
        var isAway = false
        var pages: [UInt64: Page] = [:]
        var lastPage: UInt64 = 0
        var isOver = false
    }

    private let state = Mutex(State())

    // MARK: Telling

    /// Tells the sheet as it is.
    func tell(_ show: ShowReply) {
        state.withLock { state in
            state.show = show
            state.snapshot = nil
            state.isAway = false
            if let event = Broadcast.snapshot(&state) { Broadcast.tell(event, &state) }
        }
    }

    /// Tells what differs, and keeps the sheet that it leads to.
    func tell(_ difference: ShowChange, leadingTo show: ShowReply) throws(ControlError) {
        let event = Broadcast.event("change", try ControlJSON.encode(difference))
        state.withLock { state in
            state.show = show
            state.snapshot = nil
            Broadcast.tell(event, &state)
        }
    }

    /// Tells the board's pages, and no phone, by which links phones enter.
    func tell(_ links: [ShownLink]) throws(ControlError) {
        let event = Broadcast.event("links", try ControlJSON.encode(links))
        state.withLock { Broadcast.tellBoards(event, keptAs: \.links, &$0) }
    }

    /// Tells the board's pages, and no phone, how everybody came to stand as they do.
    func tell(_ chart: ChartReply) throws(ControlError) {
        let event = Broadcast.event("chart", try ControlJSON.encode(chart))
        state.withLock { Broadcast.tellBoards(event, keptAs: \.chart, &$0) }
    }

    /// Tells that the daemon is away.
    func tellAway() {
        state.withLock { state in
            guard !state.isAway else { return }
            state.isAway = true
            Broadcast.tell(Broadcast.away, &state)
        }
    }

    /// Tells that this program is there: pages that are gone are noticed, and a page that hears
    /// nothing knows that it is alone.
    func beat() {
        state.withLock { state in Broadcast.tell(Broadcast.beat, &state) }
    }

    /// Ends all pages.
    func end() {
        state.withLock { state in
            state.isOver = true
            for id in state.pages.keys { Broadcast.wake(id, &state) }
        }
    }

    private static func tell(
        _ event: [UInt8],
        _ state: inout State,
        to isMeant: (Site.Visitor) -> Bool = { _ in true }
    ) {
        for (id, var page) in state.pages where isMeant(page.visitor) && !page.isCut {
            let visitor = page.visitor
            let isTaking = page.queue.add(event) { everything(for: visitor, &state) }
            if !isTaking {
                page.isCut = true
                shim_cut(page.descriptor)
            }
            state.pages[id] = page
            wake(id, &state)
        }
    }

    /// Tells the board's pages what differs from what they know, and keeps it for newcomers.
    private static func tellBoards(
        _ event: [UInt8],
        keptAs place: WritableKeyPath<State, [UInt8]?>,
        _ state: inout State
    ) {
        guard state[keyPath: place] != event else { return }
        state[keyPath: place] = event
        tell(event, &state) { $0 == .board }
    }

    private static func wake(_ id: UInt64, _ state: inout State) {
        guard let page = state.pages[id], page.isAsleep else { return }
        state.pages[id]?.isAsleep = false
        unsafe MHD_resume_connection(OpaquePointer(bitPattern: page.connection))
    }

    /// What a page needs first: whose it is, the sheet, the links, and that the daemon is away.
    private static func everything(for visitor: Site.Visitor, _ state: inout State) -> [[UInt8]] {
        let away = state.isAway ? Broadcast.away : nil
        switch visitor {
        case .board: return [snapshot(&state), state.links, state.chart, away].compactMap(\.self)
        case .phone(let player):
            let you = (try? ControlJSON.encode(["player": player])).map { event("you", $0) }
            return [you, snapshot(&state), away].compactMap(\.self)
        }
    }

    private static func snapshot(_ state: inout State) -> [UInt8]? {
        if state.snapshot == nil, let show = state.show {
            state.snapshot = (try? ControlJSON.encode(show)).map { event("snapshot", $0) }
        }
        return state.snapshot
    }

    private static let away = event("away", Array("{}".utf8))
    private static let beat = event("beat", Array("{}".utf8))

    private static func event(_ name: String, _ json: [UInt8]) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }

    // MARK: Pages

    /// Notes that a page is there; nil where there are too many.
    func join(_ connection: OpaquePointer, _ visitor: Site.Visitor) -> UInt64? {
        let place = UInt(bitPattern: connection)
        return state.withLock { state in
            guard state.pages.count < Broadcast.mostPages, !state.isOver else { return nil }
            state.lastPage += 1
            state.pages[state.lastPage] = Page(
                connection: place,
                descriptor: unsafe shim_descriptor(connection),
                visitor: visitor,
                queue: PageQueue(Broadcast.everything(for: visitor, &state))
            )
            return state.lastPage
        }
    }

    /// Notes that a page is gone.
    func leave(_ id: UInt64) {
        state.withLock { state in _ = state.pages.removeValue(forKey: id) }
    }

    /// Gives a page the next bytes; 0 while there are none, which suspends it, nil at the end.
    func take(_ id: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            guard !state.isOver, let page = state.pages[id], !page.isCut else { return nil }
            guard let piece = state.pages[id]?.queue.take(buffer.count) else {
                state.pages[id]?.isAsleep = true
                unsafe MHD_suspend_connection(OpaquePointer(bitPattern: page.connection))
                return 0
            }
            unsafe buffer.copyBytes(from: piece)
            return piece.count
        }
    }
}
