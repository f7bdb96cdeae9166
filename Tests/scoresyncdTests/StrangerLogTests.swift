import CPlatform
import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncEngine
import SyncProtocol
import Testing

@testable import scoresyncd

/// The log lines that strangers can cause.
struct StrangerLogTests {
    @Test(
        "Any number of announcements of other versions from an unknown device write a limited log"
    )
    func announcements() throws {
        let laptop = try Laptop("ann-laptop")
        let port = try FreePort.ofDatagrams()
        try laptop.start("--discovery-port", "\(port)", "--log-level", "info")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let text = try laptop.read(ShowDocument.self, "show").session.id
        let session = try #require(SessionID(text))
        let socket = platform_udp_socket(false)
        defer { platform_close(socket) }
        let most = Int(LogRateLimiter.burst(.warning))
        for round in 0..<10 * most {
            let forged = Announcement(
                versions: 2...2,
                device: .random(),
                instance: .random(),
                port: Ports.standard,
                sessions: [AnnouncedSession(id: session, isInviting: false)]
            )
            for bytes in AnnouncementCoding.encode(forged) {
                let target = platform_ipv4(0x7F00_0001, port)
                let sent = platform_send_to(
                    socket,
                    bytes,
                    bytes.count,
                    target,
                    platform_ipv4(0, 0),
                    0
                )
                #expect(sent == bytes.count)
            }
            // So that none of them is lost in the socket's buffer.
            if round % 100 == 0 { try laptop.run("version") }
        }
        try laptop.run("status")
        let lines = laptop.log.split(separator: "\n").count { $0.contains("speaks only protocol") }
        #expect(lines >= most / 2, "they came")
        #expect(lines <= most + 60, "\(lines) lines")
    }

    @Test("The log of a home can be rotated while the daemon is running")
    func rotation() throws {
        let laptop = try Laptop("ann-laptop")
        laptop.logPath = "\(laptop.home)/daemon.log"
        let old = Data(repeating: UInt8(ascii: "x"), count: Log.fileBytes - 10)
        try old.write(to: URL(filePath: laptop.logPath))
        try laptop.start("--no-discovery")
        try laptop.stop()
        let aside = try Data(contentsOf: URL(filePath: laptop.logPath + ".1"))
        #expect(aside.count >= old.count && aside.count <= Log.fileBytes)
        let now = String(
            decoding: try Data(contentsOf: URL(filePath: laptop.logPath)),
            as: UTF8.self
        )
        #expect(now.contains("ready as ann-laptop"), "\(now)")
        #expect(now.contains("stopping"), "\(now)")
    }
}
