import FoundationEssentials
package import LaptopKit

/// The app of a laptop, as `scorectl app` starts it, in a browser that was let in.
package final class RunningApp: BrowserServer {
    package let port: UInt16
    package let root: String
    /// The value of the browser's cookie; nil before it was let in.
    package var cookie: String?
    /// The URL that let the browser in.
    package private(set) var opened = ""
    private let program: Running
    private let laptop: Laptop

    /// The output of `app --no-open --json`.
    private struct Addresses: Decodable {
        let url: String
        let page: String
    }

    /// What the app keeps in the home.
    private struct Keys: Decodable {
        let joining: String
        let networkPort: UInt16?
    }

    /// Starts the app, and lets a browser in.
    package init(_ laptop: Laptop) throws {
        self.laptop = laptop
        let app = try Programs.path(of: "scoresync-board")
        // It reports on descriptor 3 that it serves.
        let script = ["/bin/sh", "-ec", "exec 3>&1; exec \"$@\"", "sh", app, "--app"]
        program = try Running(
            script + ["--home", laptop.home],
            adding: ["SCORESYNC_READY_FD=3"],
            .captured
        )
        _ = try program.firstLine()
        let page = try laptop.read(Addresses.self, "app", "--no-open").page.split(separator: "/")
        guard page.count == 3, let port = page[1].split(separator: ":").last.flatMap({ UInt16($0) })
        else { throw Failure("no page: \(page)") }
        (self.port, root) = (port, "/\(page[2])/")
        opened = try newKey()
        let answer = try request("GET", opened)
        let header = answer.headers["set-cookie"]?.split(separator: ";").first
        guard let header, answer.status == 200 else { throw Failure("not let in: \(answer)") }
        cookie = String(header)
    }

    package var headers: [String: String] {
        var headers = ["Host": "127.0.0.1:\(port)"]
        headers["Cookie"] = cookie
        return headers
    }

    /// Returns the path of a new key.
    package func newKey() throws -> String {
        let url = try laptop.read(Addresses.self, "app", "--no-open").url
        return "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
    }

    /// Calls a method as the page does.
    package func call(_ method: String, _ parameters: String = "{}") throws -> BoardResponse {
        try post(root + "call", #"{"method":"\#(method)","params":\#(parameters)}"#)
    }

    /// Serves phones in the network, and returns the path of the page that gives out links, and
    /// the port.
    package func share() throws -> (joining: String, port: UInt16) {
        let answer = try call("app.change", #"{"shared":true}"#)
        let file = try Data(contentsOf: URL(filePath: laptop.home + "/app.json"))
        let keys = try JSONDecoder().decode(Keys.self, from: file)
        guard answer.status == 200, let port = keys.networkPort else { throw Failure("\(answer)") }
        return ("/\(keys.joining)/", port)
    }

    package var isRunning: Bool { program.isRunning }

    /// Waits for the exit.
    package func outcome() throws -> Outcome { try program.outcome(within: .seconds(10)) }
}
