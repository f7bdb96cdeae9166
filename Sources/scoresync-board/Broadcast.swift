import BoardSite
import CMicroHTTPD
import SyncProtocol
import Synchronization

/// The event streams of all open pages: a snapshot of the sheet, then each change, as server-sent
/// events (HTML Standard, "Server-sent events").
///
/// The watching thread adds events, and the server's thread reads as much as a page has room for.
/// A page with nothing to read is suspended at no cost; a page that stops reading is closed.
final class Broadcast: Sendable {
    static let maxPages = 400

    private struct Subscriber {
        /// The server's pointer to the connection.
        let connection: UInt
        let descriptor: Int32
        let page: Site.Page
        /// The port of the server that the page uses.
        let port: UInt16
        var queue: PageQueue
        var isSuspended = false
        var isClosing = false
    }

    /// The state of the streams; encoded events are kept for new pages, nil until needed or known.
    private struct State {
        var show: ShowReply?
        var snapshot: [UInt8]?
        var links: [UInt8]?
        var seats: [UInt8]?
        /// The players of the phones, by link.
        var players: [PathToken: String] = [:]
        /// The reason why there is no sheet to show.
        var refusal: [UInt8]?
        var chart: [UInt8]?
        var playEvent: [UInt8]?
        /// The code of the play that has ended, and the number of codes so far.
        var play: QRCode?
        var plays = 0
        var isDaemonLost = false
        var subscribers: [UInt64: Subscriber] = [:]
        var lastID: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    // MARK: Events

    func send(_ show: ShowReply) {
        state.withLock { state in
            state.show = show
            state.snapshot = nil
            state.refusal = nil
            state.isDaemonLost = false
            if let event = Broadcast.snapshot(&state) { Broadcast.send(event, &state) }
        }
    }

    /// Sends a change, and stores the sheet that results from it.
    func send(_ change: ShowChange, resultingIn show: ShowReply) throws(ControlError) {
        let event = Broadcast.event("change", try ControlJSON.encode(change))
        state.withLock { state in
            state.show = show
            state.snapshot = nil
            Broadcast.send(event, &state)
        }
    }

    /// Sends the links of phones to boards and the owner, and only the players to those who ask for
    /// a link.
    func send(_ links: [LinkView], _ seats: [SeatView]) {
        guard let links = try? ControlJSON.encode(links), let seats = try? ControlJSON.encode(seats)
        else { return }
        state.withLock { state in
            Broadcast.send(Broadcast.event("links", links), keptIn: \.links, &state) { $0.isBoard }
            Broadcast.send(Broadcast.event("seats", seats), keptIn: \.seats, &state) {
                $0 == .joining
            }
        }
    }

    /// Sets the players of the phones, and tells each phone whose player is another one.
    func setPlayers(_ players: [PathToken: String]) {
        state.withLock { state in
            let before = state.players
            state.players = players
            for (token, player) in players where before[token] != player {
                Broadcast.send(Broadcast.you(player), &state) { $0 == .phone(token) }
            }
        }
    }

    /// Sends the chart to boards and the owner only.
    func send(_ chart: ChartReply) throws(ControlError) {
        let event = Broadcast.event("chart", try ControlJSON.encode(chart))
        state.withLock { Broadcast.send(event, keptIn: \.chart, &$0) { $0.isBoard } }
    }

    /// Sends the path of the code that hands over the play that has ended, or that there is none, to
    /// boards only.
    func send(play code: QRCode?) {
        state.withLock { state in
            guard state.play != code else { return }
            state.play = code
            state.plays += 1
            let path = code.map { _ in "\(Site.playPicture)?\(state.plays)" }
            guard let json = try? ControlJSON.encode(["path": path]) else { return }
            Broadcast.send(Broadcast.event("play", json), keptIn: \.playEvent, &state) {
                $0 == .board
            }
        }
    }

    /// The code of the play that has ended; nil if there is none.
    var play: QRCode? { state.withLock(\.play) }

    /// Reports why there is no sheet to show, such as that this laptop has left the session.
    func send(_ refusal: ControlError) {
        guard let text = try? ControlJSON.encode(["message": refusal.message]) else { return }
        state.withLock { state in
            state.show = nil
            state.snapshot = nil
            Broadcast.send(Broadcast.event("refused", text), keptIn: \.refusal, &state) { _ in true
            }
        }
    }

    /// Reports once that the daemon does not answer; the next snapshot shows that it is back.
    func sendDaemonLost() {
        state.withLock { state in
            guard !state.isDaemonLost else { return }
            state.isDaemonLost = true
            Broadcast.send(Broadcast.away, &state)
        }
    }

    /// Sends a heartbeat: the server detects pages that are gone, and a page that receives none
    /// knows that it is disconnected.
    func sendHeartbeat() {
        state.withLock { state in Broadcast.send(Broadcast.beat, &state) }
    }

    /// Ends all event streams, or those of one server.
    func close(port: UInt16? = nil) {
        state.withLock { state in
            if port == nil { state.isClosed = true }
            Broadcast.close(&state) { port == nil || $0.port == port }
        }
    }

    /// Ends the event streams of pages whose address has become invalid.
    func close(where isInvalid: (Site.Page) -> Bool) {
        state.withLock { state in Broadcast.close(&state) { isInvalid($0.page) } }
    }

    private static func close(_ state: inout State, where isMeant: (Subscriber) -> Bool) {
        for (id, subscriber) in state.subscribers where isMeant(subscriber) {
            state.subscribers[id]?.isClosing = true
            resume(id, &state)
        }
    }

    /// The number of pages that show this.
    var pageCount: Int { state.withLock(\.subscribers.count) }

    private static func send(
        _ event: [UInt8],
        _ state: inout State,
        to isMeant: (Site.Page) -> Bool = { _ in true }
    ) {
        for (id, var subscriber) in state.subscribers
        where isMeant(subscriber.page) && !subscriber.isClosing {
            let page = subscriber.page
            let isReading = subscriber.queue.add(event) { initialEvents(of: page, &state) }
            if !isReading {
                subscriber.isClosing = true
                shim_cut(subscriber.descriptor)
            }
            state.subscribers[id] = subscriber
            resume(id, &state)
        }
    }

    /// Sends an event if it differs from the previous one, and stores it for new pages.
    private static func send(
        _ event: [UInt8],
        keptIn path: WritableKeyPath<State, [UInt8]?>,
        _ state: inout State,
        to isMeant: (Site.Page) -> Bool
    ) {
        guard state[keyPath: path] != event else { return }
        state[keyPath: path] = event
        send(event, &state, to: isMeant)
    }

    private static func resume(_ id: UInt64, _ state: inout State) {
        guard let subscriber = state.subscribers[id], subscriber.isSuspended else { return }
        state.subscribers[id]?.isSuspended = false
        unsafe MHD_resume_connection(OpaquePointer(bitPattern: subscriber.connection))
    }

    private static func initialEvents(of page: Site.Page, _ state: inout State) -> [[UInt8]] {
        let away = state.isDaemonLost ? Broadcast.away : nil
        let sheet = snapshot(&state) ?? state.refusal
        switch page {
        case .board:
            return [sheet, state.links, state.chart, state.playEvent, away].compactMap(\.self)
        case .owner: return [sheet, state.links, state.chart, away].compactMap(\.self)
        case .joining: return [sheet, state.seats, away].compactMap(\.self)
        case .phone(let token):
            return [state.players[token].map(you), sheet, away].compactMap(\.self)
        }
    }

    private static func snapshot(_ state: inout State) -> [UInt8]? {
        if state.snapshot == nil, let show = state.show {
            state.snapshot = (try? ControlJSON.encode(show)).map { event("snapshot", $0) }
        }
        return state.snapshot
    }

    private static func you(_ player: String) -> [UInt8] {
        event("you", (try? ControlJSON.encode(["player": player])) ?? [])
    }

    private static let away = event("away", Array("{}".utf8))
    private static let beat = event("beat", Array("{}".utf8))

    private static func event(_ name: String, _ json: [UInt8]) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }

    // MARK: Pages

    /// Adds a page; nil if there are too many.
    func subscribe(_ connection: OpaquePointer, _ page: Site.Page, port: UInt16) -> UInt64? {
        let address = UInt(bitPattern: connection)
        return state.withLock { state in
            guard state.subscribers.count < Broadcast.maxPages, !state.isClosed else { return nil }
            state.lastID += 1
            state.subscribers[state.lastID] = Subscriber(
                connection: address,
                descriptor: unsafe shim_descriptor(connection),
                page: page,
                port: port,
                queue: PageQueue(Broadcast.initialEvents(of: page, &state))
            )
            return state.lastID
        }
    }

    func unsubscribe(_ id: UInt64) {
        state.withLock { state in _ = state.subscribers.removeValue(forKey: id) }
    }

    /// Copies the next bytes for a page and returns their number; 0 if there are none, so that the
    /// page is suspended, and nil at the end.
    func read(_ id: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        state.withLock { state in
            guard !state.isClosed, let subscriber = state.subscribers[id], !subscriber.isClosing
            else { return nil }
            guard let piece = state.subscribers[id]?.queue.next(maxBytes: buffer.count) else {
                state.subscribers[id]?.isSuspended = true
                unsafe MHD_suspend_connection(OpaquePointer(bitPattern: subscriber.connection))
                return 0
            }
            unsafe buffer.copyBytes(from: piece)
            return piece.count
        }
    }
}

extension Site.Page {
    /// Whether the page shows everything, the links of phones too.
    fileprivate var isBoard: Bool {
        switch self {
        case .board, .owner: true
        case .phone, .joining: false
        }
    }
}
