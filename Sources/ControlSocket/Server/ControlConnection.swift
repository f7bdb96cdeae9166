internal import CPlatform
package import Descriptors
internal import JSONCoding
internal import SyncProtocol

/// The daemon's side of a connection on the control socket.
///
/// Its output of one turn of the queue leaves together at the end. It is limited: senders of
/// notifications must check ``isCongested`` and wait for ``onDrain``; a client that does not read is
/// disconnected.
@EventLoop
package final class ControlConnection {
    /// The handler that is called when the output is empty again after congestion.
    package var onDrain: (@EventLoop () -> Void)?
    package var isOpen: Bool { stage != .closed }
    /// The time of the last read or write, in milliseconds of the steady clock.
    private(set) var lastUse = platform_steady_milliseconds()

    private static let readBytes = 64 << 10

    private static let negotiation: Method<NegotiateParameters, NegotiateReply> = .negotiate

    private enum Stage {
        case open
        /// New calls are refused; the connection closes after the pending calls are answered.
        case ending
        case closed
    }

    private let events: DescriptorEvents
    private let queue: EventQueue
    private let router: ControlRouter
    private let limits: ControlLimits
    private let home: ServedHome
    private var stage = Stage.open
    private var decoder = FrameDecoder()
    private var output = ControlOutput()
    private var isFlushDue = false
    private var wasCongested = false
    private var isNegotiated = false
    private var unansweredCalls: Set<RPCID> = []
    private var closeActions: [@EventLoop () -> Void] = []

    init(
        _ descriptor: Int32,
        on queue: EventQueue,
        _ router: ControlRouter,
        _ limits: ControlLimits,
        _ home: ServedHome
    ) {
        (self.queue, self.router, self.limits, self.home) = (queue, router, limits, home)
        events = DescriptorEvents(descriptor, queue: queue)
    }

    func start() { events.startReading { [self] in receive() } }

    /// Whether so many bytes are unsent that only replies should be added.
    package var isCongested: Bool { output.count >= limits.congestedBytes }

    /// Whether there is no unanswered call, no watcher and no unsent byte.
    var isIdle: Bool { unansweredCalls.isEmpty && onDrain == nil && output.isEmpty }

    /// Calls `action` when the connection closes; at once if it is closed.
    package func onClose(_ action: @escaping @EventLoop () -> Void) {
        if isOpen { closeActions.append(action) } else { action() }
    }

    /// Sends an error that is not the reply to a call, and closes the connection.
    func end(_ fault: RPCFault) {
        send(RPCEncoding.fault(fault, id: .null))
        close()
    }

    /// Refuses new calls, and closes the connection after the pending ones are answered and sent.
    func closeWhenIdle() {
        guard stage == .open else { return }
        stage = .ending
        closeIfIdle()
    }

    private func closeIfIdle() {
        if stage == .ending, unansweredCalls.isEmpty, output.isEmpty { close() }
    }

    /// Answers the pending calls with an error and closes the connection.
    func abort() {
        let error = ControlError(.lost, "the daemon stopped before it answered")
        for id in unansweredCalls.sorted(by: { "\($0)" < "\($1)" }) {
            answer(id, fault: RPCFault(error))
        }
        close()
    }

    /// Closes the connection; what the kernel accepts at once is still delivered.
    package func close() {
        guard isOpen else { return }
        if !output.isEmpty { _ = sendOutput() }
        stage = .closed
        onDrain = nil
        unansweredCalls = []
        output.removeAll(keeping: 0)
        events.cancel()
        let actions = closeActions
        closeActions = []
        for action in actions { action() }
    }

    // MARK: Answers

    func answer(_ id: RPCID, reply: some Encodable) {
        guard unansweredCalls.remove(id) != nil else { return }
        do {
            send(try RPCEncoding.result(reply, id: id))
        } catch {
            send(RPCEncoding.fault(RPCFault(error), id: id))
        }
    }

    func answer(_ id: RPCID, fault: RPCFault) {
        guard unansweredCalls.remove(id) != nil else { return }
        send(RPCEncoding.fault(fault, id: id))
    }

    // MARK: Reading

    /// Reads up to ``ControlLimits/bytesPerTurn``, then gives other connections their turn.
    private func receive() {
        var left = limits.bytesPerTurn
        while isOpen, left > 0 {
            let count = receiveOnce()
            left -= count
            // The buffer was not filled; later bytes cause another event.
            guard count == ControlConnection.readBytes else { return }
        }
    }

    /// Reads once and handles the complete frames; returns the number of bytes read.
    private func receiveOnce() -> Int {
        let room = ControlConnection.readBytes
        let count = withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { buffer in
            let count = platform_receive(events.descriptor, buffer.baseAddress, room)
            if count > 0 { decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count
        }
        if count > 0 {
            lastUse = platform_steady_milliseconds()
            handleFrames()
        } else if !platform_would_block(count) {
            close()
        }
        return max(0, count)
    }

    private func handleFrames() {
        do {
            while isOpen, let frame = try decoder.next() { handle(frame) }
        } catch {
            // The stream cannot be read further, because the start of the next frame is unknown.
            end(RPCFault(code: RPCFault.notJSON, "\(error)"))
        }
    }

    private func handle(_ frame: [UInt8]) {
        do {
            switch try RPCMessage(frame) {
            case .request(let id, let method, let parameters): handle(id, method, parameters)
            // Clients send no notifications and no replies.
            case .notification, .result, .fault: break
            }
        } catch {
            send(RPCEncoding.fault(error, id: .null))
        }
    }

    private func handle(_ id: RPCID, _ method: String, _ parameters: JSONValue) {
        guard unansweredCalls.count < limits.callsPerConnection, unansweredCalls.insert(id).inserted
        else {
            let text = "too many calls at once, or a duplicate id"
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
            answer(id, fault: RPCFault(code: RPCFault.unknownMethod, text))
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
            let text =
                "the daemon at this socket uses the state directory \(home.path), not \(wanted)"
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

    package func send(_ frame: [UInt8]) {
        guard isOpen else { return }
        guard output.count + frame.count <= limits.queuedBytes else { return close() }
        output.append(frame, reusing: limits.congestedBytes)
        lastUse = platform_steady_milliseconds()
        if isCongested {
            wasCongested = true
            flush()
        } else if !isFlushDue {
            isFlushDue = true
            queue.atEndOfTurn { [self] in
                isFlushDue = false
                flush()
            }
        }
    }

    private func sendOutput() -> Int {
        output.send { platform_send(events.descriptor, $0.baseAddress, $0.count) }
    }

    private func flush() {
        while isOpen, !output.isEmpty {
            let count = sendOutput()
            if platform_would_block(count) { return events.startWriting { [self] in flush() } }
            guard count >= 0 else {
                output.removeAll(keeping: 0)
                return close()
            }
        }
        guard isOpen else { return }
        output.removeAll(keeping: limits.congestedBytes)
        events.stopWriting()
        if wasCongested {
            wasCongested = false
            onDrain?()
        }
        closeIfIdle()
    }
}

/// The unsent bytes of a connection.
struct ControlOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }
    var isEmpty: Bool { count == 0 }

    /// Appends bytes, and first drops the sent ones if they are more than `limit`.
    mutating func append(_ frame: [UInt8], reusing limit: Int) {
        if sent > limit {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes.append(contentsOf: frame)
    }

    /// Calls `send` with the unsent bytes; it returns the number sent or a negated errno.
    mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
        let count = bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if count > 0 { sent += count }
        return count
    }

    /// Removes all bytes, but keeps a buffer of up to `limit` bytes for reuse.
    mutating func removeAll(keeping limit: Int) {
        bytes.removeAll(keepingCapacity: bytes.count <= limit)
        sent = 0
    }
}
