import FoundationEssentials
import LaptopKit

/// What a board answers to one request.
package struct BoardAnswer {
    package let status: Int
    /// The headers, by their names in small letters.
    package let headers: [String: String]
    package let body: String

    /// The value that the body holds as JSON.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(body.utf8)) } catch {
            throw Failure("\(error) in \(status) \(body.prefix(500))")
        }
    }
}

extension BrowserConnection {
    /// The head of the next answer; nil where the connection is closed without one.
    package func head() throws -> BoardAnswer? {
        guard let head = try take(until: "\r\n\r\n") else { return nil }
        let lines = head.split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Failure("no head: \(head)") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        return BoardAnswer(status: status, headers: headers, body: "")
    }

    /// The next answer with its body; nil where the connection is closed without one.
    package func answer() throws -> BoardAnswer? {
        guard let head = try head() else { return nil }
        let count = head.headers["content-length"].flatMap { Int($0) } ?? 0
        return BoardAnswer(
            status: head.status,
            headers: head.headers,
            body: String(decoding: try take(count) ?? [], as: UTF8.self)
        )
    }
}
