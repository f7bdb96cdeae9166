import ControlSocket
import Descriptors
import FoundationEssentials
import LaptopKit
import SyncEngine
import SyncProtocol
import Testing

@testable import scoresyncd

/// The calls that the daemon answers.
struct RouterTests {
    /// The methods in the table of the page about the wire.
    private func documentedMethods() throws -> [String] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/PROTOCOL.md")
        let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("| method |") }.dropFirst(2)
        return table.prefix { $0.hasPrefix("|") }.flatMap { line in
            let cell = line.split(separator: "|").first ?? ""
            return cell.split(separator: "`").map(String.init).filter { word in
                word.contains(where: \.isLetter)
            }
        }
    }

    @Test("The documentation lists exactly the calls that the daemon answers")
    func methods() throws {
        let laptop = try Laptop("ann-laptop")
        let queue = try EventQueue()
        let options = try DaemonOptions([])
        let home = try OpenedHome(laptop.home, options, on: queue)
        let answered = queue.enter {
            Daemon(home, options, Log(level: .error), on: queue).router.methods
        }
        #expect(answered.count > 40)
        // The first call of a connection is answered before there is a router.
        #expect(try documentedMethods().sorted() == (answered + ["negotiate"]).sorted())
    }
}
