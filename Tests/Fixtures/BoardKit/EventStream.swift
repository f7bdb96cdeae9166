import FoundationEssentials
import LaptopKit

/// The event stream of a page: server-sent events in HTTP chunks.
package final class EventStream {
    package let connection: BrowserConnection
    private var bytes: [UInt8] = []
    private var beats = 0

    package struct Event {
        package let name: String
        package let data: String

        /// Decodes the data from JSON.
        package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
            do { return try JSONDecoder().decode(type, from: Data(data.utf8)) } catch {
                throw Failure("\(error) in \(name): \(data.prefix(500))")
            }
        }
    }

    /// Opens the event stream of the main page, or of another path; an owner's page follows the
    /// current session, or the one given.
    package init(
        _ server: some BrowserServer,
        _ path: String? = nil,
        session: String? = nil,
        receiveBytes: Int32 = 0
    ) throws {
        connection = try BrowserConnection(server.port, receiveBytes: receiveBytes)
        let events = (path ?? server.root) + "events" + (session.map { "/\($0)" } ?? "")
        connection.request("GET", events, server.headers)
        let head = try connection.head()
        guard head?.status == 200, head?.headers["content-type"] == "text/event-stream" else {
            throw Failure("no events: \(head.map { "\($0.status)" } ?? "closed")")
        }
    }

    /// Reads the next event; nil at the end of the stream.
    package func next() throws -> Event? {
        while true {
            while let found = bytes.read(until: "\n\n") {
                let text = String(decoding: found, as: UTF8.self)
                guard let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")) else {
                    throw Failure("no event: \(text)")
                }
                let event = Event(
                    name: String(text[..<end].dropFirst("event: ".count)),
                    data: String(text[end...].dropFirst("\ndata: ".count))
                )
                guard event.name == "beat" else {
                    beats = 0
                    return event
                }
                beats += 1
                guard beats < 3 else { throw Failure("the events stopped") }
            }
            guard let size = try connection.read(until: "\r\n"), let count = Int(size, radix: 16),
                count > 0, let piece = try connection.read(count + 2)
            else { return nil }
            bytes += piece.dropLast(2)
        }
    }

    /// Reads events until one has this name, and drops the others.
    package func next(_ name: String) throws -> Event {
        while let event = try next() {
            if event.name == name { return event }
        }
        throw Failure("the events ended before \(name)")
    }
}
