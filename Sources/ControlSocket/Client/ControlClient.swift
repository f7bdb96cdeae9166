internal import CPlatform
internal import Descriptors
internal import JSONCoding
package import SyncProtocol

/// A blocking client of the control socket, with a timeout on every wait.
package final class ControlClient {
    /// The event that ended a wait.
    package enum Wake: Hashable, Sendable {
        /// A message arrived, or the daemon closed the connection.
        case message
        /// Another of the given descriptors is readable.
        case other
        case timedOut
    }

    /// The daemon's reply to the negotiation.
    package private(set) var agreement = NegotiateReply(api: 0, version: "")

    /// The observer of calls, called after each call except the negotiation.
    package var onAnswer: ((AnsweredCall) -> Void)?

    private let descriptor: Int32
    private let path: String
    /// The time and the parameters of the last call.
    private var sent: (at: ContinuousClock.Instant, parameters: () -> [UInt8]?)?
    private var decoder = FrameDecoder(limit: Limits.controlFrameBytes)
    private var inbox: [RPCMessage] = []
    private var lastID: Int64 = 0

    /// Connects to the daemon at a path and negotiates a version.
    /// - Throws: `noDaemon` if no daemon listens at the path, or if its home is not `home`;
    ///   `versionMismatch`; `timedOut`.
    package convenience init(
        path: String,
        client: String,
        home: String? = nil,
        speaking versions: ClosedRange<Int> = Versions.control,
        timeoutMilliseconds: Int = 5000
    ) throws(ControlError) {
        let wish = NegotiateParameters(client: client, versions: versions, home: home)
        try self.init(path, wish, sending: nil, timeoutMilliseconds)
    }

    /// Connects and sends a first call together with the negotiation, which saves a round trip.
    ///
    /// The daemon carries out the call only if the negotiation succeeds;
    /// ``answer(to:timeoutMilliseconds:)`` returns its reply.
    package convenience init<Parameters, Reply>(
        path: String,
        client: String,
        home: String? = nil,
        first method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        timeoutMilliseconds: Int = 5000
    ) throws(ControlError) {
        let frame = try RPCEncoding.request(method, parameters, id: .integer(2))
        let wish = NegotiateParameters(client: client, versions: Versions.control, home: home)
        let risk = Self.risk(isReading: method.isReading)
        try self.init(path, wish, sending: frame, timeoutMilliseconds, risk: risk)
        recordSending(method, parameters)
    }

    private init(
        _ path: String,
        _ wish: NegotiateParameters,
        sending frame: [UInt8]?,
        _ milliseconds: Int,
        risk: String = ""
    ) throws(ControlError) {
        self.path = path
        descriptor = try Self.connect(path, milliseconds)
        let end = platform_steady_milliseconds() + Int64(milliseconds)
        lastID = frame == nil ? 1 : 2
        let greeting = try RPCEncoding.request(.negotiate, wish, id: .integer(1))
        try send(greeting + (frame ?? []), until: end)
        do throws(ControlError) {
            agreement = try awaitReply(to: .negotiate, id: .integer(1), until: end)
        } catch {
            switch error.kind {
            // The connection ended before the negotiation, so the call was not carried out.
            case .lost: throw ControlError(.noDaemon, error.message)
            case .timedOut: throw error.with(message: error.message + risk)
            default: throw error
            }
        }
    }

    deinit { platform_close(descriptor) }

    /// Sends a call and waits for its reply; a timeout of nil waits without limit.
    ///
    /// Notifications that arrive before the reply are kept for ``event(_:method:)``.
    package func call<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        lastID += 1
        let end = timeoutMilliseconds.map { platform_steady_milliseconds() + Int64($0) }
        recordSending(method, parameters)
        let frame = try RPCEncoding.request(method, parameters, id: .integer(lastID))
        try send(frame, until: end)
        return try recordedAnswer(to: method, until: end)
    }

    package func call<Reply>(
        _ method: Method<NoParameters, Reply>,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        try call(method, NoParameters(), timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Sends a call whose parameters are JSON already, and returns its reply as JSON.
    ///
    /// The name contains letters and dots only. Unlike ``call(_:_:timeoutMilliseconds:)`` this
    /// reports nothing to ``onAnswer``.
    package func relay(
        _ method: String,
        _ parameters: [UInt8],
        timeoutMilliseconds: Int
    ) throws(ControlError) -> [UInt8] {
        lastID += 1
        let end = platform_steady_milliseconds() + Int64(timeoutMilliseconds)
        let frame = try RPCEncoding.request(named: method, json: parameters, id: lastID)
        try send(frame, until: end)
        let id = RPCID.integer(lastID)
        return Array(try awaitResult(of: method, isReading: false, id: id, until: end).bytes)
    }

    /// Waits for the reply to the call that was sent while connecting.
    package func answer<Parameters, Reply>(
        to method: Method<Parameters, Reply>,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        let end = timeoutMilliseconds.map { platform_steady_milliseconds() + Int64($0) }
        return try recordedAnswer(to: method, until: end)
    }

    private func recordSending<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) {
        sent = (.now, { method.isSecret ? nil : try? ControlJSON.encode(parameters) })
    }

    /// Waits for the reply to the last call and reports it to ``onAnswer``.
    private func recordedAnswer<Parameters, Reply>(
        to method: Method<Parameters, Reply>,
        until end: Int64?
    ) throws(ControlError) -> Reply {
        var failure: ControlError?
        defer { report(method.name, failure) }
        do throws(ControlError) {
            return try awaitReply(to: method, id: .integer(lastID), until: end)
        } catch {
            failure = error
            throw error
        }
    }

    private func report(_ method: String, _ error: ControlError?) {
        guard let onAnswer, let sent else { return }
        onAnswer(
            AnsweredCall(
                method: method,
                parameters: sent.parameters(),
                duration: sent.at.duration(to: .now),
                error: error
            )
        )
    }

    /// Returns the warning to append to an error after which a call may have been carried out.
    private static func risk(isReading: Bool) -> String {
        isReading ? "" : "; it may have been carried out: check before you repeat it"
    }

    private func awaitReply<Parameters, Reply>(
        to method: Method<Parameters, Reply>,
        id: RPCID,
        until end: Int64?
    ) throws(ControlError) -> Reply {
        let isReading = method.isReading
        let result = try awaitResult(of: method.name, isReading: isReading, id: id, until: end)
        return try reply(Reply.self, result, to: method.name)
    }

    /// Waits for the result of a call, and keeps notifications; errors after which the call may
    /// have been carried out say so.
    private func awaitResult(
        of method: String,
        isReading: Bool,
        id: RPCID,
        until end: Int64?
    ) throws(ControlError) -> JSONValue {
        let risk = Self.risk(isReading: isReading)
        do throws(ControlError) {
            while let message = try next(until: end) {
                switch message {
                case .result(id, let result): return result
                case .fault(id, let fault), .fault(.null, let fault): throw fault.error
                case .notification: inbox.append(message)
                case .request, .result, .fault: break
                }
            }
        } catch {
            guard error.kind == .lost else { throw error }
            throw error.with(message: error.message + risk)
        }
        throw ControlError(.timedOut, "the daemon did not answer \(method) in time" + risk)
    }

    /// Waits for a message, or until another descriptor is readable; negative descriptors are
    /// ignored.
    package func wait(orFor others: [Int32], milliseconds: Int) throws(ControlError) -> Wake {
        if try hasMessage() { return .message }
        let all = others + [descriptor]
        let result = platform_wait_any(all, Int32(all.count), Int32(clamping: milliseconds))
        try Self.check(result, "wait for the daemon")
        guard result > 0 else { return .timedOut }
        return result == all.count ? .message : .other
    }

    /// Returns the next notification that has arrived; nil if there is none.
    ///
    /// - Throws: `lost` if the daemon closed the connection, or the error that it sent before.
    package func event<Event: Decodable>(
        _ type: Event.Type,
        method: String
    ) throws(ControlError) -> Event? {
        while try hasMessage() {
            switch inbox.removeFirst() {
            case .notification(method, let parameters):
                return try reply(Event.self, parameters, to: method)
            case .fault(.null, let fault): throw fault.error
            case .notification, .request, .result, .fault: break
            }
        }
        return nil
    }

    // MARK: Bytes

    /// Whether a message has arrived.
    private func hasMessage() throws(ControlError) -> Bool {
        if !inbox.isEmpty { return true }
        if let message = try next(until: platform_steady_milliseconds()) { inbox.append(message) }
        return !inbox.isEmpty
    }

    /// Returns the next message of the stream; nil if none is complete by `end`.
    private func next(until end: Int64?) throws(ControlError) -> RPCMessage? {
        while true {
            do {
                if let frame = try decoder.next() { return try RPCMessage(frame) }
            } catch let error as RPCFault {
                throw ControlError(.failed, "invalid message from the daemon: \(error.message)")
            } catch {
                throw ControlError(.failed, "invalid message from the daemon: \(error)")
            }
            guard try receive(until: end) else { return nil }
        }
    }

    private func receive(until end: Int64?) throws(ControlError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = platform_receive(descriptor, &buffer, buffer.count)
            if count > 0 {
                decoder.append(buffer[..<count])
                return true
            }
            guard platform_would_block(count) else {
                throw ControlError(.lost, "the daemon closed the connection")
            }
            let ready = platform_wait(descriptor, false, -1, Self.rest(end))
            try Self.check(ready, "wait for the daemon")
            if ready == 0 { return false }
        }
    }

    private func send(_ frame: [UInt8], until end: Int64?) throws(ControlError) {
        do { try write(frame, until: end) } catch {
            // A daemon that rejects the connection sends the reason and closes it at once.
            if case .fault(.null, let fault)? = try? next(until: end) { throw fault.error }
            throw error
        }
    }

    private func write(_ frame: [UInt8], until end: Int64?) throws(ControlError) {
        var rest = frame[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                platform_send(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard platform_would_block(count) else {
                throw ControlError(.noDaemon, "the daemon closed the connection")
            }
            let ready = platform_wait(descriptor, true, -1, Self.rest(end))
            try Self.check(ready, "wait for the daemon")
            if ready == 0 { throw ControlError(.timedOut, "the daemon does not accept the call") }
        }
    }

    private func reply<Reply: Decodable>(
        _ type: Reply.Type,
        _ bytes: JSONValue,
        to method: String
    ) throws(ControlError) -> Reply {
        do {
            return try ControlJSON.decode(type, from: bytes)
        } catch {
            let text = "cannot read the daemon's reply to \(method): \(error.message)"
            throw ControlError(.versionMismatch, text)
        }
    }

    // MARK: Connecting

    private static func connect(_ path: String, _ milliseconds: Int) throws(ControlError) -> Int32 {
        guard path.utf8.count <= ControlLimits.pathBytes else {
            throw ControlSocketError.pathTooLong(path).controlError
        }
        let descriptor = platform_unix_socket()
        try check(descriptor, "create a socket")
        let end = platform_steady_milliseconds() + Int64(milliseconds)
        var result = platform_unix_connect(descriptor, path)
        // Tries again while the daemon's backlog is full.
        while platform_would_block(Int(result)), platform_steady_milliseconds() < end {
            _ = platform_wait(-1, false, -1, 2)
            result = platform_unix_connect(descriptor, path)
        }
        var user: UInt32 = 0
        if result >= 0 { result = platform_peer_user(descriptor, &user) }
        guard result >= 0 else {
            platform_close(descriptor)
            let reason = "\(SystemError.text(of: -result)) (errno \(-result))"
            throw ControlError(.noDaemon, "no daemon answers at \(path): \(reason)")
        }
        guard ControlListener.isAllowed(user, to: platform_own_user()) else {
            platform_close(descriptor)
            throw ControlError(.noDaemon, "the daemon at \(path) belongs to uid \(user)")
        }
        return descriptor
    }

    private static func rest(_ end: Int64?) -> Int32 {
        guard let end else { return -1 }
        return Int32(clamping: max(0, end - platform_steady_milliseconds()))
    }

    private static func check(_ result: Int32, _ operation: String) throws(ControlError) {
        guard result < 0 else { return }
        throw ControlSocketError.system(operation, code: -result).controlError
    }
}

/// A call and its result, for logging.
package struct AnsweredCall: Sendable {
    package let method: String
    /// The parameters as JSON; nil if they contain a secret.
    package let parameters: [UInt8]?
    /// The time from sending to the reply.
    package let duration: Duration
    /// The error; nil if the call succeeded.
    package let error: ControlError?
}
