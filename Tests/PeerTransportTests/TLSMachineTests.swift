import Testing

@testable import PeerTransport

/// Two machines back to back, without a socket.
private struct Pair {
    let client: TLSMachine
    let server: TLSMachine
    var clientFailure: TLSFailure?
    var serverFailure: TLSFailure?
    var atClient: [UInt8] = []
    var atServer: [UInt8] = []

    init(
        offering key: PreSharedKey,
        held: [String: [UInt8]] = [Keys.member: Keys.secret]
    ) throws {
        client = try TLSMachine(role: .client(key))
        server = try TLSMachine(role: .server(lookup: { held[$0].map { Secret($0) } }))
    }

    /// Carries bytes to and fro, in pieces, until both are silent.
    mutating func exchange(pieces: Int = .max) {
        while !client.hasNoOutput || !server.hasNoOutput {
            for piece in split(client.drainOutput(), pieces) {
                do throws(TLSFailure) { atServer += try server.receive(piece) } catch {
                    serverFailure = serverFailure ?? error
                }
            }
            for piece in split(server.drainOutput(), pieces) {
                do throws(TLSFailure) { atClient += try client.receive(piece) } catch {
                    clientFailure = clientFailure ?? error
                }
            }
        }
    }

    private func split(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        guard size < bytes.count else { return [bytes] }
        return stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
    }
}

@Suite("The TLS machine")
struct TLSMachineTests {
    @Test("opens when both ends hold the key, and carries bytes both ways")
    func opens() throws {
        var pair = try Pair(offering: Keys.key())
        #expect(pair.server.identity == nil)
        pair.exchange()
        #expect(pair.client.status == .open)
        #expect(pair.server.status == .open)
        #expect(pair.client.identity == Keys.member)
        #expect(pair.server.identity == Keys.member)
        let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try pair.client.send(large)
        try pair.server.send([1, 2, 3])
        pair.exchange()
        #expect(pair.atServer == large)
        #expect(pair.atClient == [1, 2, 3])
        #expect(pair.clientFailure == nil)
        #expect(pair.serverFailure == nil)
    }

    @Test("chooses the key by the identity that is offered")
    func choosesByIdentity() throws {
        let other = [UInt8](repeating: 9, count: 32)
        var pair = try Pair(
            offering: Keys.key("j:7Q", secret: other),
            held: [Keys.member: Keys.secret, "j:7Q": other]
        )
        pair.exchange()
        #expect(pair.server.identity == "j:7Q")
        #expect(pair.server.status == .open)
    }

    @Test("reports at both ends that an identity is unknown")
    func unknownIdentity() throws {
        var pair = try Pair(offering: Keys.key("m:other"))
        pair.exchange()
        #expect(pair.serverFailure == .unknownIdentity("m:other"))
        #expect(pair.clientFailure == .unknownIdentity("m:other"))
        #expect(pair.client.status == .failed)
        #expect(pair.server.status == .failed)
    }

    @Test("reports at both ends that the keys differ, and never reveals the key")
    func wrongKey() throws {
        let wrong = [UInt8](repeating: 0xAB, count: 32)
        var pair = try Pair(offering: Keys.key(secret: wrong))
        pair.exchange()
        #expect(pair.serverFailure == .wrongKey(identity: Keys.member))
        #expect(pair.clientFailure == .wrongKey(identity: Keys.member))
        let text = try "\(Keys.key(secret: wrong)) \(String(reflecting: Keys.key(secret: wrong)))"
        #expect(!text.contains("171") && !text.contains("ab, ab"))
    }

    @Test("treats a key of the wrong length as unknown")
    func shortKey() throws {
        var pair = try Pair(offering: Keys.key(), held: [Keys.member: [1, 2, 3]])
        pair.exchange()
        #expect(pair.clientFailure == .unknownIdentity(Keys.member))
    }

    @Test("works with bytes in pieces of any size", arguments: [1, 2, 3, 5, 7, 16, 61, 128, 1_000])
    func pieces(size: Int) throws {
        var pair = try Pair(offering: Keys.key())
        pair.exchange(pieces: size)
        try pair.client.send(Array("from the client".utf8))
        try pair.server.send(Array("from the server".utf8))
        pair.exchange(pieces: size)
        #expect(pair.atServer == Array("from the client".utf8))
        #expect(pair.atClient == Array("from the server".utf8))
    }

    @Test("opens regardless of where the first bytes are split")
    func everySplit() throws {
        let length = try TLSMachine(role: .client(Keys.key())).drainOutput().count
        try #require(length > 100)
        for cut in 0...length {
            let client = try TLSMachine(role: .client(Keys.key()))
            let server = try TLSMachine(role: .server(lookup: { _ in Secret(Keys.secret) }))
            let hello = client.drainOutput()
            _ = try server.receive(Array(hello.prefix(cut)))
            _ = try server.receive(Array(hello.dropFirst(cut)))
            _ = try client.receive(server.drainOutput())
            _ = try server.receive(client.drainOutput())
            #expect(server.status == .open, "cut after \(cut) bytes")
        }
    }

    @Test("refuses a record in which any byte was changed")
    func tampered() throws {
        let count = 40
        for index in 0..<count {
            var pair = try Pair(offering: Keys.key())
            pair.exchange()
            try pair.client.send(Array("a score".utf8))
            var record = pair.client.drainOutput()
            guard index < record.count else { break }
            record[index] ^= 0x01
            // A changed length makes the record wait for more bytes; then the next one breaks it.
            try pair.client.send(Array(repeating: 0, count: 300))
            record += pair.client.drainOutput()
            var plain: [UInt8] = []
            #expect(throws: TLSFailure.self, "byte \(index)") {
                plain = try pair.server.receive(record)
            }
            #expect(plain.isEmpty)
            #expect(pair.server.status == .failed)
            #expect(try pair.server.receive([1, 2, 3]).isEmpty, "a failed machine reads on")
        }
    }

    @Test("tells the peer by an alert that a record was changed")
    func alert() throws {
        var pair = try Pair(offering: Keys.key())
        pair.exchange()
        try pair.client.send([1])
        var record = pair.client.drainOutput()
        record[record.count - 1] ^= 1
        #expect(throws: TLSFailure.self) { try pair.server.receive(record) }
        pair.exchange()
        guard case .alert(let name, true, _) = pair.clientFailure else {
            Issue.record("the client saw \(String(describing: pair.clientFailure))")
            return
        }
        #expect(name == "bad record mac")
    }

    @Test("distinguishes a goodbye from a cut")
    func goodbye() throws {
        var pair = try Pair(offering: Keys.key())
        pair.exchange()
        try pair.client.send([42])
        pair.client.finish()
        pair.exchange()
        #expect(pair.atServer == [42])
        #expect(pair.server.status == .peerFinished)
        try pair.server.send([43])
        pair.server.finish()
        pair.exchange()
        #expect(pair.atClient.isEmpty || pair.atClient == [43])
        #expect(pair.serverFailure == nil)
    }

    @Test(
        "refuses what is not TLS",
        arguments: [
            "GET / HTTP/1.1\r\nHost: scores\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello and more",
            String(repeating: "\u{0}", count: 600), "SSH-2.0-OpenSSH_9.6\r\n",
        ]
    )
    func garbage(text: String) throws {
        let server = try TLSMachine(role: .server(lookup: { _ in Secret(Keys.secret) }))
        #expect(throws: TLSFailure.self) { try server.receive(Array(text.utf8)) }
        #expect(server.status == .failed)
        #expect(server.identity == nil)
    }

    @Test("makes keys only of 32 bytes under 1 to 64 bytes of printable ASCII")
    func keyRules() {
        let secret = Keys.secret
        #expect(
            PreSharedKey(identity: String(repeating: "a", count: 64), secret: Secret(secret)) != nil
        )
        #expect(
            PreSharedKey(identity: String(repeating: "a", count: 65), secret: Secret(secret)) == nil
        )
        #expect(PreSharedKey(identity: "", secret: Secret(secret)) == nil)
        #expect(PreSharedKey(identity: "m:ü", secret: Secret(secret)) == nil)
        #expect(PreSharedKey(identity: "m: ", secret: Secret(secret)) == nil)
        #expect(PreSharedKey(identity: "m:1", secret: Secret(secret + [1])) == nil)
        #expect(PreSharedKey(identity: "m:1", secret: Secret(Array(secret.dropLast()))) == nil)
    }
}
