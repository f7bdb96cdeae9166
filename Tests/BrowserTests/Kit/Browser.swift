import Foundation
import LaptopKit
import Testing

/// A headless Chromium, controlled by WebDriver (W3C) with chromedriver.
struct Browser {
    /// The size of a screen, and the user's preferences.
    struct Screen {
        var width: Int
        var height: Int
        /// The zoom that the user has chosen, which makes the window of the page smaller.
        var zoom = 1
        var isDark = false
        var showsMotion = false

        static let phone = Screen(width: 390, height: 844)
        static let laptop = Screen(width: 1280, height: 800)
    }

    /// A program that shows pages.
    ///
    /// The shell has no windows: it takes two thirds of the processor time, and never hides a page.
    enum Program {
        case shell
        case complete

        /// The shell where it is installed.
        static let lightest = shell.path == nil ? complete : shell

        var path: String? {
            switch self {
            case .shell:
                // Debian's command is a script that runs this program: the driver would end only
                // the script.
                let program = "/usr/lib/chromium/chromium-headless-shell"
                return FileManager.default.isExecutableFile(atPath: program) ? program : nil
            case .complete: return Browser.path(of: "chromium")
            }
        }
    }

    private let program: Program
    private let driver: Running
    private let port: UInt16
    private let session: String

    /// Whether the browser and its driver are installed.
    static let isThere = path(of: "chromedriver") != nil && Program.complete.path != nil

    private static func path(of program: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return folders.split(separator: ":").map { "\($0)/\(program)" }
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }

    /// The browsers that no test uses at this moment; only the thread of these tests uses them.
    nonisolated(unsafe) private static var idle: [Browser] = []

    /// Opens a new tab of a browser for the duration of a function.
    static func open(
        _ screen: Screen = .laptop,
        in program: Program = .lightest,
        _ body: (Browser) throws -> Void
    ) throws {
        let browser = try cleared(program) ?? Browser(program)
        do {
            try browser.emulate(screen)
            try body(browser)
        } catch {
            browser.close()
            throw error
        }
        idle.append(browser)
    }

    private init(_ program: Program) throws {
        self.program = program
        (driver, port) = try Browser.startedDriver()
        let wish = Wish(.init(binary: program.path ?? "chromium"))
        let made: Made = try Browser.answer(port, "POST", "/session", wish)
        session = "/session/\(made.sessionId)"
    }

    /// Returns an idle browser with one new tab, and without what pages have stored; nil if there is
    /// none.
    private static func cleared(_ program: Program) -> Browser? {
        guard let index = idle.lastIndex(where: { $0.program == program }) else { return nil }
        let browser = idle.remove(at: index)
        do {
            let old: [String] = try browser.ask("GET", "window/handles", [String: String]())
            let new = try browser.open("tab")
            for handle in old {
                try browser.show(handle)
                try browser.run("if (location.origin !== 'null') localStorage.clear();")
                let _: Nothing = try browser.ask("DELETE", "window", [String: String]())
            }
            try browser.show(new)
            try browser.send("Network.clearBrowserCookies", [String: String]())
            _ = try browser.complaints()
            return browser
        } catch {
            browser.close()
            return nil
        }
    }

    /// Closes the browsers that are idle.
    static func closeIdle() {
        for browser in idle { browser.close() }
        idle = []
    }

    /// Starts the driver.
    ///
    /// It needs a port that is free for both address families, and fails at once otherwise.
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

    // MARK: Actions

    func emulate(_ screen: Screen) throws {
        try send(
            "Emulation.setDeviceMetricsOverride",
            Metrics(
                width: screen.width / screen.zoom,
                height: screen.height / screen.zoom,
                deviceScaleFactor: screen.zoom,
                mobile: screen.width < 600
            )
        )
        let scheme = screen.isDark ? "dark" : "light"
        let motion = screen.showsMotion ? "no-preference" : "reduce"
        try send(
            "Emulation.setEmulatedMedia",
            Media(features: [
                .init(name: "prefers-color-scheme", value: scheme),
                .init(name: "prefers-reduced-motion", value: motion),
            ])
        )
    }

    /// Runs a script on each page before its own scripts.
    func prepare(_ source: String) throws {
        try send("Page.addScriptToEvaluateOnNewDocument", ["source": source])
    }

    /// Sends a command of the DevTools protocol.
    func send(_ command: String, _ parameters: some Encodable) throws {
        let call = Command(cmd: command, params: parameters)
        let _: Nothing = try ask("POST", "goog/cdp/execute", call)
    }

    /// Opens a page, and waits until it has loaded.
    func visit(_ address: String) throws {
        let _: Nothing = try ask("POST", "url", ["url": address])
    }

    /// Evaluates a script, which may use `$` and `$$` for elements and `words` for their text.
    func read<Value: Decodable>(_ script: String) throws -> Value {
        let json: String = try ask(
            "POST",
            "execute/sync",
            Script("\(Browser.shorthand) return JSON.stringify((\(script)) ?? null);")
        )
        return try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    /// Returns the text of the element that a selector finds.
    func words(_ selector: String) throws -> String { try read("words('\(selector)')") }

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
              else setTimeout(look, 25);
            };
            look();
            """
        )
        let answer: Held = try ask("POST", "execute/async", script)
        guard case .text(let text) = answer else { return }
        throw Failure("not in 15 s: \(condition), but\n\(text)")
    }

    /// Opens a tab or a window of the same browser, and returns its handle.
    func open(_ kind: String) throws -> String {
        let made: [String: String] = try ask("POST", "window/new", ["type": kind])
        guard let handle = made["handle"] else { throw Failure("no new \(kind)") }
        try show(handle)
        return handle
    }

    /// The handle of the tab that is shown.
    func shownTab() throws -> String { try ask("GET", "window", [String: String]()) }

    /// Shows a tab.
    func show(_ handle: String) throws {
        let _: Nothing = try ask("POST", "window", ["handle": handle])
    }

    /// Clicks on the element that a selector finds.
    func click(_ selector: String) throws {
        do { try click(found(selector)) } catch {
            // The page was drawn again since it was found.
            guard "\(error)".contains("stale element") else { throw error }
            try click(found(selector))
        }
    }

    private func found(_ selector: String) throws -> [String: String] {
        try ask("POST", "element", ["using": "css selector", "value": selector])
    }

    private func click(_ element: [String: String]) throws {
        guard let id = element.values.first else { throw Failure("no element") }
        // chromedriver scrolls only to the edge of the window, where a bar may cover the element.
        let middle = "arguments[0].scrollIntoView({ block: 'center', inline: 'nearest' });"
        let _: Nothing = try ask("POST", "execute/sync", Script(middle, element))
        let _: Nothing = try ask("POST", "element/\(id)/click", [String: String]())
    }

    /// Clicks on buttons by their accessible names as a mouse does: not on what is covered.
    func tap(_ names: String...) throws {
        for name in names {
            let button = Browser.button(called: name)
            try wait(until: "\(button) && !\(button).disabled")
            let script = Script("\(Browser.shorthand) return \(button);")
            let found: [String: String] = try ask("POST", "execute/sync", script)
            try click(found)
        }
    }

    /// Presses keys on the keyboard; keys without a character have a code of WebDriver, such as
    /// `\u{E004}` for Tab.
    func type(_ keys: String) throws {
        let presses = keys.flatMap { key in
            ["keyDown", "keyUp"].map { Keyboard.Press(type: $0, value: String(key)) }
        }
        let call = ["actions": [Keyboard(actions: presses)]]
        let _: Nothing = try ask("POST", "actions", call)
    }

    /// Returns the warnings and errors of the console.
    func complaints() throws -> [String] {
        let complaints: [Complaint] = try ask("POST", "se/log", ["type": "browser"])
        return complaints.map(\.message)
    }

    /// Returns the accessibility tree.
    func accessibilityTree() throws -> [AccessibleNode] {
        let call = Command(cmd: "Accessibility.getFullAXTree", params: [String: String]())
        let tree: AccessibleTree = try ask("POST", "goog/cdp/execute", call)
        return tree.nodes.filter { !$0.ignored }
    }

    /// Returns the control that has the focus, as screen readers know it.
    func focusedNode() throws -> AccessibleNode? {
        try accessibilityTree().last(where: \.isFocused)
    }

    // MARK: WebDriver

    /// A script for the visible button with an accessible name.
    private static func button(called name: String) -> String {
        let called = "key.ariaLabel ?? (key.querySelector('.label') ?? key).textContent"
        return "$$('button').find((key) => key.offsetWidth && (\(called)) === '\(name)')"
    }

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
        // chromedriver accepts no slash after the session, and would leave the browser running.
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

/// Requests and responses of chromedriver.
extension Browser {
    struct Envelope<Value: Decodable>: Decodable {
        let value: Value
    }

    /// A result that is ignored.
    struct Nothing: Decodable {
        init(from decoder: any Decoder) {}
    }

    struct Made: Decodable {
        let sessionId: String
    }

    /// The requested browser.
    struct Wish: Encodable {
        struct Capabilities: Encodable {
            let alwaysMatch: [String: Options]
        }

        struct Options: Encodable {
            let binary: String
            // Tests may run as root, for whom Chromium has no sandbox, and in containers with
            // little shared memory.
            let args = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-extensions", "--disable-background-networking",
            ]
        }

        let capabilities: Capabilities

        init(_ options: Options) {
            capabilities = Capabilities(alwaysMatch: ["goog:chromeOptions": options])
        }
    }

    struct Script: Encodable {
        let script: String
        let args: [[String: String]]

        init(_ script: String, _ elements: [String: String]...) {
            (self.script, args) = (script, elements)
        }
    }

    /// The result of a check: a condition that holds, or the text of the page.
    enum Held: Decodable {
        case holds
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try? container.decode(String.self)
            self = text.map(Held.text) ?? .holds
        }
    }

    struct Command<Parameters: Encodable>: Encodable {
        let cmd: String
        let params: Parameters
    }

    struct Metrics: Encodable {
        let width: Int
        let height: Int
        let deviceScaleFactor: Int
        let mobile: Bool
    }

    struct Media: Encodable {
        struct Feature: Encodable {
            let name: String
            let value: String
        }

        let features: [Feature]
    }

    /// Key presses.
    struct Keyboard: Encodable {
        struct Press: Encodable {
            let type: String
            let value: String
        }

        let type = "key"
        let id = "keyboard"
        let actions: [Press]
    }

    struct Complaint: Decodable {
        let message: String
    }

    struct AccessibleTree: Decodable {
        let nodes: [AccessibleNode]
    }

    struct AccessibleNode: Decodable {
        struct Told: Decodable {
            let value: String?

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                value = try? container.decode(String.self, forKey: .value)
            }

            private enum CodingKeys: String, CodingKey {
                case value
            }
        }

        struct Property: Decodable {
            struct Value: Decodable {
                let isTrue: Bool

                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    isTrue = (try? container.decode(Bool.self, forKey: .value)) ?? false
                }

                private enum CodingKeys: String, CodingKey {
                    case value
                }
            }

            let name: String
            let value: Value
        }

        let ignored: Bool
        let role: String?
        let name: String?
        let isFocused: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            ignored = try container.decode(Bool.self, forKey: .ignored)
            role = try container.decodeIfPresent(Told.self, forKey: .role)?.value
            name = try container.decodeIfPresent(Told.self, forKey: .name)?.value
            let properties = try container.decodeIfPresent([Property].self, forKey: .properties)
            isFocused = properties?.contains { $0.name == "focused" && $0.value.isTrue } ?? false
        }

        private enum CodingKeys: String, CodingKey {
            case ignored, role, name, properties
        }

        /// `role: name`, or the role alone.
        var words: String {
            [role, name].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }
}

extension Browser {
    /// Opens the page of Ann's phone at a board of her laptop, in a new game of these players.
    static func onPhone(
        playing game: String,
        _ players: String...,
        options: String...,
        in program: Program = .lightest,
        body: (Browser, Laptop) throws -> Void
    ) throws {
        let ann = try Laptop(playing: game, players, options: options)
        let board = try Board(of: ann, "--lan", "--enter")
        try open(.phone, in: program) { browser in
            try browser.openPhone(of: "Ann", at: board)
            try body(browser, ann)
        }
    }

    /// Opens a player's page by its link on the board, and waits until it is ready.
    func openPhone(of name: String, at board: Board) throws {
        try visit(board.address)
        let link = "$$('#links a').find((link) => link.innerText.trim() === '\(name)')"
        try wait(until: "!!\(link)")
        try visit(try read("\(link).href"))
        try wait(until: "words('#name') === '\(name)' && !$('#pad').hidden")
    }

    /// Waits until the player has this total and the outbox is empty.
    ///
    /// The outbox is checked too, because a change may arrive before the reply to the submission.
    func waitUntilAnswered(at own: String) throws {
        try wait(until: "words('#own').startsWith('\(own)') && $('#outbox').hidden")
    }

    /// Clicks keys by their accessible names.
    func press(_ names: String...) throws {
        for name in names {
            let key = Browser.button(called: name)
            try wait(until: "!!\(key)")
            try run("\(key).click()")
        }
    }
}

/// Keeps browsers from one test of a suite to the next: starting one takes a second of processor
/// time.
struct KeptBrowsers: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await body()
        Browser.closeIdle()
    }
}
