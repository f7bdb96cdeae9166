import Foundation
import LaptopKit
import Testing

/// The app of a laptop with a running daemon, as `scorectl app` starts it.
final class App {
    let laptop: Laptop
    /// Kills the app with this object, or if this process ends before.
    private let guardian: Room

    private struct Opened: Decodable {
        let url: String
    }

    /// Starts the app of a laptop; its browser page is opened by `Browser.open(_:)`.
    init(of laptop: Laptop) throws {
        self.laptop = laptop
        guardian = try Room()
        _ = try address()
        let state = try String(contentsOfFile: "\(laptop.home)/app.lock", encoding: .utf8)
        let process = try #require(state.split(separator: "\n").first.flatMap { Int32($0) })
        guardian.guardAgainstLeaving(process)
    }

    /// Returns the address, on this machine, of the page where phones say whose they are.
    func joiningAddress() throws -> String {
        struct Keys: Decodable {
            let joining: String
        }
        let json = try Data(contentsOf: URL(filePath: "\(laptop.home)/app.json"))
        let path = try JSONDecoder().decode(Keys.self, from: json).joining
        let page = try address().split(separator: "/").prefix(2).joined(separator: "//")
        return "\(page)/\(path)/"
    }

    /// Returns an address that opens the app once.
    func address() throws -> String { try laptop.read(Opened.self, "app", "--no-open").url }
}

extension Browser {
    /// Opens the app of a laptop in a new browser, at a screen such as `#new/rounds`.
    static func onApp(
        of laptop: Laptop,
        at hash: String = "",
        _ screen: Screen = .laptop,
        _ body: (Browser) throws -> Void
    ) throws {
        let app = try App(of: laptop)
        try open(screen) { browser in
            try browser.open(app, at: hash)
            try body(browser)
        }
    }

    /// Opens an app, at a screen such as `#new/rounds`.
    func open(_ app: App, at hash: String = "") throws {
        try visit(try app.address())
        try wait(until: "!!$('main h1')")
        if !hash.isEmpty { try run("location.hash = '\(hash)';") }
    }

    /// Opens the app of a new laptop that has no session.
    static func onNewApp(
        _ screen: Screen = .laptop,
        _ body: (Browser, Laptop) throws -> Void
    ) throws {
        let laptop = try Laptop("kitchen")
        try laptop.start("--no-discovery")
        try onApp(of: laptop, screen) { try body($0, laptop) }
    }

    /// Types into the control that a selector finds, in place of its text.
    func fill(_ selector: String, _ text: String) throws {
        try wait(until: "!!$('\(selector)')")
        try run("$('\(selector)').focus(); $('\(selector)').select?.();")
        try type(text)
    }
}
