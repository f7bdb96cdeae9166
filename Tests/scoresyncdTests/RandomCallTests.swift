import FoundationEssentials
import LaptopKit
import SyncProtocol
import SyncTestKit
import Testing

// Needs real time: no call may take long.

/// Random calls of the control socket: well-formed, nearly, damaged and cut.
@Suite(.timeLimit(.minutes(10)))
struct RandomCallTests {
    /// A method with the fields of its parameters, read from the sources so that none is missing.
    private struct Form {
        let method: String
        let fields: [(name: String, type: String)]

        static func all() throws -> [Form] {
            let root = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            let folder = root.appending(path: "Sources/SyncProtocol/Control")
            func text(_ name: String) throws -> String {
                try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
            var fields: [String: [(name: String, type: String)]] = [:]
            for part in try text("Parameters.swift").components("package struct ") {
                let name = String(part.prefix { $0 != ":" })
                fields[name] = part.components("package var ").compactMap { line in
                    let words = line.prefix { !"{=\n".contains($0) }.components(": ")
                    return words.count == 2 ? (words[0], words[1].filter { $0 != " " }) : nil
                }
            }
            return try text("Methods.swift").components("package static var ").compactMap { part in
                let (types, texts) = (part.components("Method<"), part.components("\""))
                guard types.count > 1, texts.count > 2 else { return nil }
                let parameters = String(types[1].prefix { $0 != "," })
                return Form(method: texts[1], fields: fields[parameters] ?? [])
            }
        }
    }

    private let laptop: Laptop
    private let scratch: ScratchDirectory

    init() throws {
        (laptop, scratch) = (try Laptop("ann-laptop"), try ScratchDirectory())
        try laptop.start("--no-discovery", "--log-level", "error")
        for game in ["rounds", "darts", "reversi"] {
            try laptop.run("session", "new", game, "--player", "Ann", "--player", "Bob")
        }
    }

    private func client() throws -> RawControl {
        let client = try RawControl(laptop.home + "/control.sock")
        let version = Double(Versions.control.upperBound)
        let hello: [String: RecordedJSON] = [
            "client": .text("test"), "lowest": .number(version), "highest": .number(version),
        ]
        _ = try client.answer(to: call("negotiate", .object(hello), id: 0))
        return client
    }

    private func call(_ method: String, _ parameters: RecordedJSON, id: Int) -> RecordedJSON {
        .object([
            "id": .number(Double(id)), "jsonrpc": .text("2.0"), "method": .text(method),
            "params": parameters,
        ])
    }

    /// A value of a type of Swift, or now and then of another one.
    private func value(_ type: String, _ random: inout SeededGenerator) -> RecordedJSON {
        let texts = [
            "", "Ann", "Bob", "Cem", "rounds", "points", "darts", "cricket", "reversi", "12", "60",
            "f5", "round.1=5", "round.2=-7", "round.99999=1", "round.1", "=", "\u{0}", "🎲", "true",
            "minimum=3", "0123456789abcdef", "127.0.0.1:9", String(repeating: "x", count: 300),
        ]
        let numbers: [Double] = [-1, 0, 1, 2, 40, 9_007_199_254_740_991, 1e300, 0.5]
        switch random.happens(7) ? random.pick(["Int", "Bool", "[String]", "?", "{"]) ?? "" : type {
        case "Bool", "Bool?": return .boolean(Bool.random(using: &random))
        case "Int", "Int?": return .number(random.pick(numbers) ?? 0)
        case "SubmissionID": return .text("00000000000000a\(random.index(below: 10))")
        case "[String]", "[String]?":
            return .list((0..<random.index(below: 4)).map { _ in value("String", &random) })
        case "?": return .null
        case "WaitCondition":
            let kinds = ["ready", "synced", "peers", "turn", "x"]
            return .object(["kind": .text(random.pick(kinds) ?? ""), "count": .number(1)])
        case "Expectation?":
            let cell = RecordedJSON.object([
                "row": .text(random.pick(["round", "visit", ""]) ?? ""),
                "round": value("Int", &random), "revision": value("String?", &random),
            ])
            return .object([
                "cells": .list([cell]), "turn": value("Int", &random),
                "value": .text(random.pick(["-", "12", ""]) ?? ""),
                "after": .list([value("SubmissionID", &random)]),
            ])
        case let other where "[{".contains(other.first ?? "x"):
            return .object([random.pick(texts) ?? "": value("String", &random)])
        default: return .text(random.pick(texts) ?? "")
        }
    }

    private func parameters(_ form: Form, _ random: inout SeededGenerator) -> RecordedJSON {
        var object: [String: RecordedJSON] = [:]
        for (name, type) in form.fields where !random.happens(type.hasSuffix("?") ? 60 : 5) {
            object[name] = value(type, &random)
        }
        // Nothing is written outside, and no answer waits for what never comes.
        if form.method == "backup.make" {
            object["file"] = .text("\(scratch.path)/\(random.index(below: 3)).db")
        }
        if form.method == "wait" { object["timeoutMilliseconds"] = .number(1) }
        return .object(object)
    }

    /// Each session as it is shown, or why it is not.
    private func shown() throws -> [RecordedJSON] {
        let client = try client()
        return try laptop.read(SessionListReply.self, "session", "list").items.map { session in
            let parameters = RecordedJSON.object(["session": .text(session.id)])
            guard case .object(let answer) = try client.answer(to: call("show", parameters, id: 1)),
                case .object(let result)? = answer["result"]
            else { return .text(session.id) }
            return result["document"] ?? .null
        }
    }

    @Test(
        "Random calls on several connections are all answered soon, and none is lost by a kill",
        arguments: [1, 2] as [UInt64]
    )
    func calls(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let forms = try Form.all().filter { $0.method != "daemon.stop" }
        #expect(forms.count > 50 && forms.count { !$0.fields.isEmpty } > 40)
        var clients = try (0..<4).map { _ in try client() }
        var slowest = (Duration.zero, "")
        for id in 1...700 {
            let form = forms[random.index(below: forms.count)]
            let number = random.index(below: clients.count)
            let json = call(form.method, parameters(form, &random), id: id)
            var payload = Array(try JSONEncoder().encode(json))
            let isDamaged = form.method != "backup.make" && random.happens(15)
            if isDamaged { payload = random.damaged(payload) }
            guard !payload.isEmpty else { continue }
            let frame = try Frame.encode(payload)
            if random.happens(5) {
                // Another connection ends within a frame.
                try client().send(Array(frame.prefix(random.index(below: frame.count))))
            }
            let start = ContinuousClock.now
            let cut = random.index(below: frame.count)
            do {
                try clients[number].send(Array(frame[..<cut]))
                try clients[number].send(Array(frame[cut...]))
                // What is damaged may have lost its id: the answer behind it is waited for.
                let probe = RecordedJSON.object([
                    "id": .text("probe"), "jsonrpc": .text("2.0"), "method": .text("session.list"),
                ])
                if isDamaged {
                    let bytes: Data = try JSONEncoder().encode(probe)
                    try clients[number].send(Frame.encode(Array(bytes)))
                }
                let awaited = isDamaged ? RecordedJSON.text("probe") : .number(Double(id))
                while true {
                    guard case .object(let answer) = try clients[number].next() else { continue }
                    if answer["id"] == awaited { break }
                }
            } catch {
                // Only what is no call ends a connection.
                let text = String(decoding: payload, as: UTF8.self)
                #expect(isDamaged, "seed \(seed), call \(id): \(error) \(text.prefix(500))")
                clients[number] = try client()
            }
            let duration = ContinuousClock.now - start
            if duration > slowest.0 { slowest = (duration, form.method) }
        }
        // A hundredth of this on a quiet machine; `diagnosis` promises a second.
        #expect(slowest.0 < .seconds(5), "seed \(seed): \(slowest)")
        let before = try shown()
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try shown() == before, "seed \(seed)")
    }
}

extension StringProtocol {
    /// The parts between occurrences of a text.
    fileprivate func components(_ mark: String) -> [String] {
        split(separator: mark, omittingEmptySubsequences: false).map { String($0) }
    }
}
