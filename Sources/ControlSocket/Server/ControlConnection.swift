internal import CPlatform
package import Descriptors
internal import JSONCoding
internal import SyncProtocol

/// The daemon's end of one connection on the control socket.
///
/// Its output is bounded: who sends notifications asks ``isCongested`` first and waits for
/// ``onDrain``; a client that reads nothing at all is cut off.
@EventLoop
package final class ControlConnection {
    /// Called whenever the output has gone out after it was congested.
    package var onDrain: (@EventLoop () -> Void)?
    /// Whether the other end can still be reached.
    package var isOpen: Bool { stage != .closed }
    /// When something last came or was answered, in milliseconds of the steady clock.
    private(set) var lastUse = platform_steady_milliseconds()

    /// The most bytes read by one call.
    private static let readBytes = 64 << 10

    private static let negotiation: Method<NegotiateParameters, NegotiateReply> = .negotiate

    private enum Stage {
        case open
        /// Nothing more is taken, and it is closed when what was taken is answered and sent.
        case ending
        case closed
    }

    let queue: EventQueue
    private let events: DescriptorEvents
    private let router: ControlRouter
    private let limits: ControlLimits
    private let home: ServedHome
    private var stage = Stage.open
    private var decoder = FrameDecoder()
    private var output = ControlOutput()
    private var wasCongested = false
    private var isNegotiated = false
    private var waiting: Set<RPCID> = []
    private var closeActions: [@EventLoop () -> Void] = []

    init(
        descriptor: Int32,
        queue: EventQueue,
        router: ControlRouter,
        limits: ControlLimits,
        home: ServedHome
    ) {
        self.queue = queue
        self.router = router
        self.limits = limits
        self.home = home
        events = DescriptorEvents(descriptor, queue: queue)
    }

    /// Begins to read.
    func start() {
        events.startReading { [self] in receive() }
    }

    /// Whether so much waits to be sent that only an answer should be added.
    package var isCongested: Bool { output.count >= limits.congestedBytes }

    /// Whether nobody waits for anything: no call, no change of what is watched, no byte.
    var isIdle: Bool { waiting.isEmpty && onDrain == nil && output.isEmpty }

    /// Runs an action once the connection has ended, whoever ended it; at once if it has already.
    package func onClose(_ action: @escaping @EventLoop () -> Void) {
        queue.requireCurrent()
        if isOpen { closeActions.append(action) } else { action() }
    }

    /// Sends a notification.
    package func notify(_ method: String, _ parameters: some Encodable) {
        do {
            send(try RPCEncoding.notification(method, parameters))
        } catch {
            // It could only be too long for a frame: the client must not believe that nothing
            // happened.
            end(RPCFault(error))
        }
    }

    /// Says why nothing more comes, in answer to no call, and ends the connection.
    func end(_ fault: RPCFault) {
        send(RPCEncoding.fault(fault, id: .null))
        close()
    }

    /// Takes no more calls, and ends the connection once those that wait are answered and
    /// everything is sent.
    func endOnceQuiet() {
        guard stage == .open else { return }
        stage = .ending
        closeIfQuiet()
    }

    private func closeIfQuiet() {
        if stage == .ending, waiting.isEmpty, output.isEmpty { close() }
    }

    /// Ends the connection; calls that wait are told that they will not be answered.
    func giveUp() {
        let error = ControlError(.lost, "the daemon stopped before it answered")
        for id in waiting.sorted(by: { "\($0)" < "\($1)" }) { answer(id, fault: RPCFault(error)) }
        close()
    }

    /// Ends the connection; what the kernel has taken still arrives.
    package func close() {
        queue.requireCurrent()
        guard isOpen else { return }
        stage = .closed
        onDrain = nil
        waiting = []
        output.removeAll(keeping: 0)
        events.cancel()
        let actions = closeActions
        closeActions = []
        for action in actions { action() }
    }

    // MARK: Answers

    func answer(_ id: RPCID, reply: some Encodable) {
        queue.requireCurrent()
        guard waiting.remove(id) != nil else { return }
        do {
            send(try RPCEncoding.result(reply, id: id))
        } catch {
            send(RPCEncoding.fault(RPCFault(error), id: id))
        }
    }

    func answer(_ id: RPCID, fault: RPCFault) {
        queue.requireCurrent()
        guard waiting.remove(id) != nil else { return }
        send(RPCEncoding.fault(fault, id: id))
    }

    // MARK: Reading

    /// Reads what is there; after a good share it lets the others have their turn first.
    private func receive() {
        var left = limits.bytesPerTurn
        while isOpen, left > 0 {
            let count = receiveOnce()
            left -= count
            // What comes later is told again.
            guard count == ControlConnection.readBytes else { return }
        }
    }

    /// Reads once and takes the frames; how many bytes there were.
    private func receiveOnce() -> Int {
        let room = ControlConnection.readBytes
        let count = withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { buffer in
            let count = platform_receive(events.descriptor, buffer.baseAddress, room)
            if count > 0 { decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count
        }
        if count > 0 {
            lastUse = platform_steady_milliseconds()
            takeFrames()
        } else if !platform_would_block(count) {
            close()
        }
        return max(0, count)
    }

    private func takeFrames() {
        do {
            while isOpen, let frame = try decoder.next() { take(frame) }
        } catch {
            // The next frame begins nobody knows where.
            end(RPCFault(code: RPCFault.notJSON, "\(error)"))
        }
    }

    private func take(_ frame: [UInt8]) {
        do {
            switch try RPCMessage(frame) {
            case .request(let id, let method, let parameters): take(id, method, parameters)
            // Nothing is defined that a client would tell without wanting an answer, and nothing
            // that a daemon asks.
            case .notification, .result, .fault: break
            }
        } catch {
            send(RPCEncoding.fault(error, id: .null))
        }
    }

    private func take(_ id: RPCID, _ method: String, _ parameters: JSONValue) {
        guard waiting.count < limits.callsPerConnection, waiting.insert(id).inserted else {
            let text = "too many calls at a time, or two with the same id"
            return send(RPCEncoding.fault(RPCFault(code: RPCFault.notACall, text), id: id))
        }
        if stage == .ending {
            answer(id, fault: RPCFault(ControlError(.noDaemon, "the daemon is stopping")))
        } else if method == Self.negotiation.name {
            negotiate(id, parameters)
        } else if !isNegotiated {
            let text = "the first call must be \(Self.negotiation.name)"
            answer(id, fault: RPCFault(ControlError(.versionMismatch, text)))
        } else if let route = router[method] {
            route(self, id, parameters)
        } else {
            let text = "daemon \(home.program) does not know the call \(method)"
            answer(id, fault: RPCFault(code: RPCFault.unknownMethod, text, kind: .versionMismatch))
        }
    }

    private func negotiate(_ id: RPCID, _ parameters: JSONValue) {
        guard let wish = try? ControlJSON.decode(NegotiateParameters.self, from: parameters),
            wish.lowest <= wish.highest
        else {
            let fault = RPCFault(code: RPCFault.badParameters, "lowest and highest are needed")
            return answer(id, fault: fault)
        }
        let ours = home.versions
        guard let api = Versions.common(ours, wish.lowest...wish.highest) else {
            let advice = wish.highest < ours.lowerBound ? "; update \(wish.client)" : ""
            let text =
                "daemon \(home.program) speaks versions \(ours.lowerBound) to \(ours.upperBound)"
                + " of the control interface, "
                + "\(wish.client) speaks \(wish.lowest) to \(wish.highest)\(advice)"
            return answer(id, fault: RPCFault(ControlError(.versionMismatch, text)))
        }
        if let wanted = wish.home, !home.isMeant(by: wanted) {
            let text = "the daemon there keeps \(home.path), not \(wanted)"
            return answer(id, fault: RPCFault(ControlError(.noDaemon, text)))
        }
        isNegotiated = true
        answer(
            id,
            reply: NegotiateReply(
                api: api,
                version: home.program,
                build: home.build?.text,
                options: home.options.isEmpty ? nil : home.options
            )
        )
    }

    // MARK: Writing

    /// Sends a frame, which may be one that others are sent, too.
    func send(_ frame: [UInt8]) {
        queue.requireCurrent()
        guard isOpen else { return }
        guard output.count + frame.count <= limits.queuedBytes else { return close() }
        output.append(frame, reusing: limits.congestedBytes)
        lastUse = platform_steady_milliseconds()
        if isCongested { wasCongested = true }
        flush()
    }

    private func flush() {
        while isOpen, !output.isEmpty {
            let count = output.send { platform_send(events.descriptor, $0.baseAddress, $0.count) }
            if platform_would_block(count) {
                return events.startWriting { [self] in flush() }
            }
            guard count >= 0 else { return close() }
        }
        guard isOpen else { return }
        output.removeAll(keeping: limits.congestedBytes)
        events.stopWriting()
        if wasCongested {
            wasCongested = false
            onDrain?()
        }
        closeIfQuiet()
    }
}

/// What a connection has to send and the kernel has not taken yet.
struct ControlOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// How many bytes wait.
    var count: Int { bytes.count - sent }
    /// Whether none wait.
    var isEmpty: Bool { count == 0 }

    /// Adds bytes; from `limit` sent ones on their room is used again.
    mutating func append(_ frame: [UInt8], reusing limit: Int) {
        if sent > limit {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes.append(contentsOf: frame)
    }

    /// Hands out what waits; `send` says how many bytes were taken, or a negated errno.
    mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
        let count = bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if count > 0 { sent += count }
        return count
    }

    /// Forgets everything; small room is kept.
    mutating func removeAll(keeping limit: Int) {
        bytes.removeAll(keepingCapacity: bytes.count <= limit)
        sent = 0
    }
}
