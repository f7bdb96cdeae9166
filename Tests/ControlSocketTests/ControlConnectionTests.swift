import CPlatform
import Descriptors
import Dispatch
import QueueKit
import SyncProtocol
import SyncTestKit
import Synchronization
import Testing

@testable import ControlSocket

@Suite("A connection of the control socket", .timeLimit(.minutes(10)))
struct ControlConnectionTests {
    @Test("carries typed calls and answers")
    func calls() throws {
        let daemon = try TestDaemon()
        let client = try daemon.client()
        #expect(client.agreement == NegotiateReply(api: 3, version: Versions.program))
        #expect(try client.call(.sessions) == SessionListReply([]))
        let reply = try client.call(.score, .init(words: ["Änn", "–5"]))
        #expect(reply == WrittenReply(player: "Änn –5", cells: []))
    }

    @Test("carries errors with their kind and candidates")
    func errors() throws {
        let daemon = try TestDaemon()
        let client = try daemon.client()
        let expected = ControlError(.notFound, "no Bob", candidates: ["Ann", "Bea"])
        #expect(throws: expected) { try client.call(.score, .init(words: ["Bob", "1"])) }
        let unknown = #expect(throws: ControlError.self) { try client.call(.undo, .init()) }
        #expect(unknown?.kind == .versionMismatch)
    }

    @Test("is answered a refusal by a daemon that cannot write, unless it reads or is an exception")
    func readOnly() throws {
        let refusal = ControlError(.failed, "the disk is read-only", hint: "mount it")
        var router = ControlRouter(refusing: refusal, except: ["daemon.stop"])
        router.on(.sessions) { _, call in call.respond(SessionListReply([])) }
        router.on(.stopDaemon) { _, call in call.respond(Done()) }
        router.on(.undo) { _, call in call.fail(ControlError(.notFound, "carried out")) }
        let daemon = try TestDaemon(router: router)
        let client = try daemon.client()
        #expect(try client.call(.sessions) == SessionListReply([]))
        #expect(try client.call(.stopDaemon) == Done())
        #expect(throws: refusal) { try client.call(.undo, .init()) }
    }

    @Test("answers malformed calls with the codes of JSON-RPC")
    func codes() throws {
        let daemon = try TestDaemon()
        let client = try RawClient(daemon.paths.socket)
        try client.send(json: #"{"jsonrpc":"2.0","id":1,"method":"session.list"}"#)
        #expect(try client.receive()?.contains("-32008") == true)
        try client.send(
            json: #"{"jsonrpc":"2.0","id":2,"method":"negotiate","#
                + #""params":{"client":"t","lowest":5,"highest":9}}"#
        )
        #expect(try client.receive()?.contains("t speaks 5 to 9") == true)
        try client.send(
            json: #"{"jsonrpc":"2.0","id":2,"method":"negotiate","#
                + #""params":{"client":"t","lowest":1,"highest":1}}"#
        )
        #expect(try client.receive()?.contains("t speaks 1 to 1; update t") == true)
        try client.send(
            json: #"{"jsonrpc":"2.0","id":"n","method":"negotiate","#
                + #""params":{"client":"t","lowest":1,"highest":9}}"#
        )
        #expect(try client.receive()?.contains(#""id":"n""#) == true)
        for (json, code) in [
            (#"{"jsonrpc":"2.0","id":3,"method":"no.such"}"#, "-32601"),
            (#"{"jsonrpc":"2.0","id":4,"method":"score","params":{"words":7}}"#, "-32602"),
            (#"{"jsonrpc":"2.0","id":5,"method":"score","params":[]}"#, "-32602"),
            (#"{"jsonrpc":"2.0","id":5,"method":"session.list","params":[1]}"#, "-32602"),
            (#"{"jsonrpc":"2.0","id":5,"method":"session.list","params":"x"}"#, "-32602"),
            (#"{"jsonrpc":"2.0","id":5,"method":"session.list","params":null}"#, "-32602"),
            (#"{"id":6,"method":"score"}"#, "-32600"),
            ("nonsense", "-32700"),
        ] {
            try client.send(json: json)
            let answer = try #require(try client.receive())
            #expect(answer.contains(#""code":\#(code)"#), "\(json)")
            // All of them are the fault of the caller.
            #expect(answer.contains(#""kind":"usage""#), "\(answer)")
        }
        // After all that it still works.
        try client.send(json: #"{"jsonrpc":"2.0","id":9,"method":"session.list"}"#)
        #expect(
            try client.receive()
                == #"{"id":9,"jsonrpc":"2.0","result":{"schema":1,"sessions":[]}}"#
        )
    }

    @Test("is closed after a frame that is too long, with a reason, and without reading it")
    func tooLong() throws {
        let daemon = try TestDaemon()
        let client = try RawClient(daemon.paths.socket)
        client.send([0, 0x20, 0, 1])
        #expect(try client.receive()?.contains("2097153") == true)
        #expect(try client.receive() == nil)
    }

    @Test("survives random bytes, whole or in frames", arguments: 0..<20)
    func garbage(seed: Int) throws {
        let daemon = try TestDaemon()
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<20 {
            let client = try RawClient(daemon.paths.socket)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let count = Int.random(in: 1...300, using: &random)
                var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                if Bool.random(using: &random) { bytes = try Frame.encode(bytes) }
                guard client.send(bytes) else { break }
            }
        }
        #expect(try daemon.client().call(.sessions).items == [], "seed \(seed)")
    }

    /// Calls that are answered later.
    private final class Held<Reply: Codable & Sendable>: Sendable {
        let calls = Mutex<[ControlCall<Reply>]>([])

        func add(_ call: ControlCall<Reply>) { calls.withLock { $0.append(call) } }
    }

    /// A daemon whose call 1 waits for its answer, while call 2 of the same client has had its own.
    private func heldCall() throws -> (TestDaemon, RawClient, ControlCall<SessionReply>) {
        let held = Held<SessionReply>()
        let daemon = try TestDaemon { router in
            router.on(.session) { _, call in held.add(call) }
        }
        let client = try RawClient(daemon.paths.socket)
        try client.negotiate()
        try client.send(json: #"{"jsonrpc":"2.0","id":1,"method":"session.show"}"#)
        try client.send(json: #"{"jsonrpc":"2.0","id":2,"method":"session.list"}"#)
        #expect(try client.receive()?.contains(#""id":2"#) == true)
        let waiting = try #require(held.calls.withLock { $0.first })
        return (daemon, client, waiting)
    }

    @Test("answers calls later and in any order")
    func later() throws {
        let (daemon, client, waiting) = try heldCall()
        daemon.queue.async { waiting.fail(ControlError(.timedOut, "late")) }
        #expect(try client.receive()?.contains(#""id":1"#) == true)
    }

    @Test("accepts 64 calls at once and answers the next with an error")
    func manyCalls() throws {
        let held = Held<Done>()
        let daemon = try TestDaemon { router in
            router.on(.wait) { _, call in held.add(call) }
        }
        let client = try RawClient(daemon.paths.socket)
        try client.negotiate()
        for id in 1...65 {
            try client.send(
                json: #"{"jsonrpc":"2.0","id":\#(id),"method":"wait","#
                    + #""params":{"condition":{"kind":"ready"}}}"#
            )
        }
        let answer = try #require(try client.receive())
        #expect(answer.contains(#""id":65"#) && answer.contains("too many calls"))
        #expect(held.calls.withLock { $0.count } == 64)
    }

    @Test("is rejected with a reason while 64 others are busy, and accepted when one has closed")
    func manyConnections() throws {
        var limits = ControlLimits()
        limits.connections = 3
        let daemon = try TestDaemon(limits: limits)
        var clients = try (0..<3).map { _ in try daemon.client() }
        let error = #expect(throws: ControlError.self) { try daemon.client() }
        #expect(error?.message.contains("3 connections") == true)
        clients.removeLast()
        // The daemon notices the end of the other one on its queue.
        for _ in 0..<10_000 {
            if daemon.queue.sync(execute: { daemon.listener.connectionCount }) < 3 { break }
            platform_wait(-1, false, -1, 1)
        }
        #expect(try daemon.client().call(.sessions).items == [])
        #expect(ControlLimits().connections == 64)
    }

    @Test("replaces the one that has been idle for longest, and none that waits")
    func idleConnections() throws {
        var limits = ControlLimits()
        limits.connections = 3
        let daemon = try TestDaemon(limits: limits) { router in
            router.on(.undo) { _, _ in }
        }
        let waiting = try RawClient(daemon.paths.socket)
        try waiting.negotiate()
        try waiting.send(json: #"{"jsonrpc":"2.0","id":1,"method":"undo"}"#)
        let idle = try RawClient(daemon.paths.socket)
        try idle.negotiate()
        let start = platform_steady_milliseconds()
        while platform_steady_milliseconds() <= start { platform_wait(-1, false, -1, 1) }
        let later = try daemon.client()
        // Not before they have been idle for a while.
        var client = try? daemon.client()
        #expect(client == nil)
        while client == nil, platform_steady_milliseconds() < start + 10_000 {
            platform_wait(-1, false, -1, 10)
            client = try? daemon.client()
        }
        #expect(platform_steady_milliseconds() - start >= ControlLimits.idleMilliseconds - 50)
        #expect(try client?.call(.sessions).items == [])
        #expect(try idle.receive() == nil)
        #expect(try later.call(.sessions).items == [])
        try waiting.send(json: #"{"jsonrpc":"2.0","id":2,"method":"session.list"}"#)
        #expect(try waiting.receive()?.contains(#""id":2"#) == true)
    }

    @Test("notifies the daemon when the client disconnects")
    func gone() throws {
        let gone = DispatchSemaphore(value: 0)
        let daemon = try TestDaemon { router in
            router.on(.watch) { _, call in
                call.connection.onClose { gone.signal() }
                call.respond(Done())
            }
        }
        do {
            let client = try daemon.client()
            _ = try client.call(.watch, .init())
            withExtendedLifetime(client) {}
        }
        #expect(gone.wait(timeout: .now() + 10) == .success)
    }

    @Test("ends with a clear error when the daemon stops")
    func stop() throws {
        let daemon = try TestDaemon()
        let client = try daemon.client()
        daemon.listener.stop()
        daemon.queue.sync {}
        let error = #expect(throws: ControlError.self) { try client.call(.sessions) }
        #expect(error?.isAbsence == true)
        let none = #expect(throws: ControlError.self) { try daemon.client() }
        #expect(none?.kind == .noDaemon)
    }

    @Test("answers waiting calls when the daemon stops, and refuses new ones")
    func answersAtTheEnd() throws {
        let (daemon, client, waiting) = try heldCall()
        daemon.listener.stop()
        daemon.queue.sync {}
        try client.send(json: #"{"jsonrpc":"2.0","id":3,"method":"session.list"}"#)
        #expect(try client.receive()?.contains("the daemon is stopping") == true)
        // A long reply is still being sent when every call is answered.
        let text = String(repeating: "x", count: 4 << 20)
        let error = ControlError(.failed, text)
        daemon.queue.sync { waiting.fail(error) }
        #expect(try client.receive()?.contains(text) == true)
        #expect(try client.receive() == nil)
    }

    @Test("fails unanswered calls when the daemon ends")
    func givenUp() throws {
        let daemon = try TestDaemon { router in router.on(.undo) { _, _ in } }
        let client = try RawClient(daemon.paths.socket)
        try client.negotiate()
        try client.send(json: #"{"jsonrpc":"2.0","id":1,"method":"undo"}"#)
        try client.send(json: #"{"jsonrpc":"2.0","id":2,"method":"session.list"}"#)
        #expect(try client.receive()?.contains(#""id":2"#) == true)
        daemon.listener.stop()
        daemon.queue.sync { daemon.listener.abort() }
        #expect(try client.receive()?.contains("stopped before it answered") == true)
        #expect(try client.receive() == nil)
    }

    @Test("times out when the daemon does not answer")
    func timeout() throws {
        let daemon = try TestDaemon { router in router.on(.undo) { _, _ in } }
        let client = try daemon.client()
        let error = #expect(throws: ControlError.self) {
            try client.call(.undo, .init(), timeoutMilliseconds: 20)
        }
        #expect(error?.kind == .timedOut)
    }

    @Test("warns that a call may have been carried out, only if it writes")
    func doubt() throws {
        let doubt = "; it may have been carried out: check before you repeat it"
        let daemon = try TestDaemon { router in
            router.on(.undo) { _, _ in }
            router.on(.status) { _, _ in }
            router.on(.clear) { _, call in call.connection.close() }
            router.on(.show) { _, call in call.connection.close() }
        }
        func error<Parameters, Reply>(
            of method: Method<Parameters, Reply>,
            _ parameters: Parameters
        ) throws -> ControlError? {
            let client = try daemon.client()
            return #expect(throws: ControlError.self) {
                try client.call(method, parameters, timeoutMilliseconds: 50)
            }
        }
        let late = "the daemon did not answer"
        #expect(
            try error(of: .undo, .init()) == ControlError(.timedOut, "\(late) undo in time\(doubt)")
        )
        #expect(
            try error(of: .status, .init()) == ControlError(.timedOut, "\(late) status in time")
        )
        let gone = "the daemon closed the connection"
        let clear = WordsParameters(session: nil, words: ["Ann"])
        #expect(try error(of: .clear, clear) == ControlError(.lost, gone + doubt))
        #expect(try error(of: .show, .init()) == ControlError(.lost, gone))
        // The same where the call went out with the greeting.
        let first = #expect(throws: ControlError.self) {
            let client = try ControlClient(
                path: daemon.paths.socket,
                client: "t",
                first: .clear,
                clear
            )
            _ = try client.answer(to: .clear)
        }
        #expect(first == ControlError(.lost, gone + doubt))
        #expect(ControlError(.lost, gone).exitCode == 1)
    }

    @Test("reports version and build of the daemon")
    func agreement() throws {
        let home = try TemporaryHome()
        let build = ProgramBuild(bytes: 12, changed: 34)
        let thread = QueueThread()
        let listener = try ControlListener(
            paths: home.paths,
            lock: ControlLock(home.paths),
            queue: thread.queue,
            router: ControlRouter(),
            program: "9.8.7",
            build: build
        )
        listener.start()
        defer { listener.stop() }
        let client = try ControlClient(path: home.paths.socket, client: "tests")
        let version = Versions.control.upperBound
        #expect(
            client.agreement == NegotiateReply(api: version, version: "9.8.7", build: build.text)
        )
        #expect(ProgramBuild(build.text) == build)
        // An older one says nothing of it.
        let bare = try ControlJSON.decode(
            NegotiateReply.self,
            from: Array(#"{"api":3,"version":"0.1.0"}"#.utf8)
        )
        #expect(bare == NegotiateReply(api: 3, version: "0.1.0"))
    }

    @Test("belongs to the same user or to root")
    func users() {
        #expect(ControlListener.isAllowed(1000, to: 1000))
        #expect(ControlListener.isAllowed(0, to: 1000))
        #expect(!ControlListener.isAllowed(1001, to: 1000))
        #expect(!ControlListener.isAllowed(1000, to: 0))
    }
}
