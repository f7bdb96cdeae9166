import Foundation
import LaptopKit

/// A Chromium without a window of its own, spoken to by WebDriver (W3C) through chromedriver.
struct Browser {
    /// How a screen is, and how whoever looks at it likes it.
    struct Screen {
        var width: Int
        var height: Int
        var isDark = false
        var showsMotion = false

        static let phone = Screen(width: 390, height: 844)
        static let laptop = Screen(width: 1280, height: 800)
    }

    private let driver: Running
    private let port: UInt16
    private let session: String

    /// Whether both programs are on this machine.
    static let isThere = ["chromedriver", "chromium"].allSatisfy { name in
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { folder in
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
        }
    }

    /// Opens a browser for as long as something is done with it.
    static func open(
        _ screen: Screen = .laptop,
        _ body: (Browser) throws -> Void
    ) throws {
        let browser = try Browser(screen)
        do { try body(browser) } catch {
            browser.close()
            throw error
        }
        browser.close()
    }

    private init(_ screen: Screen) throws {
        (driver, port) = try Browser.startedDriver()
        let made: Made = try Browser.answer(port, "POST", "/session", Wish())
        session = "/session/\(made.sessionId)"
        try look(at: screen)
    }

    /// The driver and its port; it wants the same one of both families of addresses, and ends at
    /// once where that is taken in one of them.
    private static func startedDriver(attempts: Int = 3) throws -> (Running, UInt16) {
        let driver = try Running(["chromedriver", "--port=0"], .captured)
        do {
            let line = try driver.line { $0.contains("started successfully on port ") }
            let digits = line.split(separator: " ").last?.prefix { $0.isNumber } ?? ""
            guard let port = UInt16(digits) else { throw Failure("no port in '\(line)'") }
            return (driver, port)
        } catch {
            driver.kill()
            guard attempts > 1 else { throw error }
            return try startedDriver(attempts: attempts - 1)
        }
    }

    private func close() {
        let _: Nothing? = try? ask("DELETE", "", [String: String]())
        driver.kill()
    }

    // MARK: Doing

    /// Changes the screen.
    func look(at screen: Screen) throws {
        try tell(
            "Emulation.setDeviceMetricsOverride",
            Metrics(width: screen.width, height: screen.height, mobile: screen.width < 600)
        )
        let scheme = screen.isDark ? "dark" : "light"
        let motion = screen.showsMotion ? "no-preference" : "reduce"
        try tell(
            "Emulation.setEmulatedMedia",
            Media(features: [
                .init(name: "prefers-color-scheme", value: scheme),
                .init(name: "prefers-reduced-motion", value: motion),
            ])
        )
    }

    /// Runs a script on each page before its own ones.
    func prepare(_ source: String) throws {
        try tell("Page.addScriptToEvaluateOnNewDocument", ["source": source])
    }

    /// Gives the browser a command of the DevTools protocol.
    func tell(_ command: String, _ parameters: some Encodable) throws {
        let call = Command(cmd: command, params: parameters)
        let _: Nothing = try ask("POST", "goog/cdp/execute", call)
    }

    /// Opens a page and waits until it has loaded.
    func visit(_ address: String) throws {
        let _: Nothing = try ask("POST", "url", ["url": address])
    }

    /// What a script comes to, which may use `$` and `$$` for elements and `words` for their text.
    func read<Value: Decodable>(_ script: String) throws -> Value {
        let json: String = try ask(
            "POST",
            "execute/sync",
            Script("\(Browser.shorthand) return JSON.stringify((\(script)) ?? null);")
        )
        return try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    /// What is read where a selector leads.
    func words(_ selector: String) throws -> String { try read("words('\(selector)')") }

    /// Runs a script.
    func run(_ script: String) throws {
        let _: Nothing = try ask("POST", "execute/sync", Script(Browser.shorthand + script))
    }

    /// Waits until a condition holds on the page.
    func wait(until condition: String) throws {
        let script = Script(
            """
            const done = arguments[0];
            const end = performance.now() + 15000;
            \(Browser.shorthand)
            const look = () => {
              let holds = false;
              try { holds = \(condition); } catch {}
              if (holds || performance.now() > end) done(holds || document.body.innerText);
              else setTimeout(look, 5);
            };
            look();
            """
        )
        let answer: Held = try ask("POST", "execute/async", script)
        guard case .text(let text) = answer else { return }
        throw Failure("not in 15 s: \(condition), but\n\(text)")
    }

    /// Clicks on what a selector finds, as a finger does.
    func click(_ selector: String) throws {
        let found: [String: String] = try ask(
            "POST",
            "element",
            ["using": "css selector", "value": selector]
        )
        guard let element = found.values.first else { throw Failure("no \(selector)") }
        let _: Nothing = try ask("POST", "element/\(element)/click", [String: String]())
    }

    /// Presses keys of the keyboard, wherever the focus is; those without a character have one of
    /// WebDriver's, as `\u{E004}` for Tab.
    func type(_ keys: String) throws {
        let presses = keys.flatMap { key in
            ["keyDown", "keyUp"].map { Keyboard.Press(type: $0, value: String(key)) }
        }
        let call = ["actions": [Keyboard(actions: presses)]]
        let _: Nothing = try ask("POST", "actions", call)
    }

    /// What the page has complained of on its console.
    func complaints() throws -> [String] {
        let complaints: [Complaint] = try ask("POST", "se/log", ["type": "browser"])
        return complaints.map(\.message)
    }

    /// What the browser tells somebody who cannot see the page.
    func accessibilityTree() throws -> [AccessibleNode] {
        let call = Command(cmd: "Accessibility.getFullAXTree", params: [String: String]())
        let tree: AccessibleTree = try ask("POST", "goog/cdp/execute", call)
        return tree.nodes.filter { !$0.ignored }
    }

    // MARK: The wire

    private static let shorthand = """
        const $ = (css) => document.querySelector(css);
        const $$ = (css) => [...document.querySelectorAll(css)];
        const words = (css) => ($(css)?.innerText ?? "").replace(/\\s+/g, " ").trim();
        """

    private func ask<Value: Decodable>(
        _ method: String,
        _ path: String,
        _ body: some Encodable
    ) throws -> Value {
        // Nothing but the session itself, to end it, has no further path: chromedriver takes no
        // slash there, and would leave the browser running.
        try Browser.answer(port, method, path.isEmpty ? session : "\(session)/\(path)", body)
    }

    private static func answer<Value: Decodable>(
        _ port: UInt16,
        _ method: String,
        _ path: String,
        _ body: some Encodable
    ) throws -> Value {
        let answer = try HTTPCall.answer(port, method, path, try JSONEncoder().encode(body))
        guard answer.status == 200 else {
            throw Failure("\(path): \(String(decoding: answer.body.prefix(1_000), as: UTF8.self))")
        }
        return try JSONDecoder().decode(Envelope<Value>.self, from: answer.body).value
    }
}
