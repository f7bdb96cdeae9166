import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

struct AnnouncementCodingTests {
    private static let announcement = Announcement(
        versions: 1...1,
        device: DeviceID(high: 0xd0d0_d0d0_d0d0_d0d0, low: 1),
        instance: InstanceID(high: 0x1111_1111_1111_1111, low: 2),
        port: 47_615,
        sessions: [
            AnnouncedSession(id: SessionID(high: 1, low: 1), isInviting: true),
            AnnouncedSession(id: SessionID(high: 1, low: 2), finishedDigest: 0x0AB2_C3D4),
        ]
    )
    private static let text = """
        {"app":"scoresync","device":"d0d0d0d0d0d0d0d00000000000000001",\
        "instance":"11111111111111110000000000000002","port":47615,\
        "protocol":{"max":1,"min":1},"sessions":[["00000000000000010000000000000001",1],\
        ["00000000000000010000000000000002",0,"0ab2c3d4"]]}
        """

    @Test("an announcement has exactly these bytes")
    func golden() throws {
        let datagrams = AnnouncementCoding.encode(AnnouncementCodingTests.announcement)
        #expect(
            datagrams.map { String(decoding: $0, as: UTF8.self) } == [AnnouncementCodingTests.text]
        )
        let decoded = try AnnouncementCoding.decode(AnnouncementCodingTests.text.bytes)
        #expect(decoded == AnnouncementCodingTests.announcement)
    }

    @Test("fields, elements and flags of a later version are ignored")
    func laterVersion() throws {
        let later = """
            {"app":"scoresync","device":"d0d0d0d0d0d0d0d00000000000000001","x":[{}],\
            "instance":"11111111111111110000000000000002","port":47615,\
            "protocol":{"max":1,"min":1,"y":2},\
            "sessions":[["00000000000000010000000000000001",5,null,"z",5],\
            ["00000000000000010000000000000002",4,"0ab2c3d4"]]}
            """
        let decoded = try AnnouncementCoding.decode(later.bytes)
        #expect(decoded == AnnouncementCodingTests.announcement)
    }

    @Test("any number of sessions is announced in datagrams of at most 512 bytes")
    func manySessions() throws {
        for count in [0, 1, 5, 6, 7, 8, 9, 40, 200] {
            var samples = WireSamples(seed: UInt64(count))
            let announcement = samples.announcement(sessions: count)
            let datagrams = AnnouncementCoding.encode(announcement)
            #expect(!datagrams.isEmpty)
            #expect(datagrams.allSatisfy { $0.count <= Limits.announcementBytes })
            #expect(datagrams.count <= count / 5 + 1)
            var sessions: [AnnouncedSession] = []
            for datagram in datagrams {
                var decoded = try AnnouncementCoding.decode(datagram)
                sessions += decoded.sessions
                decoded.sessions = announcement.sessions
                #expect(decoded == announcement)
            }
            #expect(sessions == announcement.sessions)
        }
    }

    @Test("other datagrams are rejected")
    func refused() {
        let text = AnnouncementCodingTests.text
        let wrong = [
            text.replacing("scoresync", with: "other"), text.replacing("47615", with: "65536"),
            text.replacing("47615", with: "-1"), text.replacing("\"min\":1", with: "\"min\":2"),
            text.replacing("\"device\"", with: "\"device2\""), text.replacing(",1],", with: "],"),
            text.replacing("0ab2c3d4", with: "0ab2c3"),
            text.replacing("0ab2c3d4", with: "0AB2C3D4"),
            text.replacing(",0,\"", with: ",-1,\""), "{}", "[]", "null",
        ]
        for text in wrong {
            do throws(AnnouncementError) {
                _ = try AnnouncementCoding.decode(text.bytes)
                Issue.record("accepted: \(text)")
            } catch {
                guard case .malformed = error else {
                    Issue.record("\(error): \(text)")
                    continue
                }
            }
        }
        for length in 0..<text.utf8.count {
            #expect(throws: AnnouncementError.self) {
                _ = try AnnouncementCoding.decode(Array(text.utf8.prefix(length)))
            }
        }
    }

    @Test("a datagram of 512 bytes is read, one of 513 is not")
    func length() throws {
        let text = AnnouncementCodingTests.text
        let spaces = String(repeating: " ", count: Limits.announcementBytes - text.utf8.count)
        let decoded = try AnnouncementCoding.decode((text + spaces).bytes)
        #expect(decoded == AnnouncementCodingTests.announcement)
        #expect(throws: AnnouncementError.tooLong(bytes: 513)) {
            _ = try AnnouncementCoding.decode((text + spaces + " ").bytes)
        }
    }
}

extension String {
    /// The text with every `old` replaced, which Foundation has and the standard library has not.
    fileprivate func replacing(_ old: String, with new: String) -> String {
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(old) {
                result += new
                rest = rest.dropFirst(old.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
