import SessionCRDT
import SyncProtocol
import Testing

/// Every limit of a delta at its last good value and one past it, in the text of the message.
struct DeltaLimitsTests {
    private static let ids = """
        ["aaaaaaaaaaaaaaaa0000000000000003","d0d0d0d0d0d0d0d00000000000000001"]
        """

    /// The delta of one part with these rows.
    private func delta(
        _ rows: String,
        vectors: String = "[[0,0,9007199254740991]]",
        ids: String = DeltaLimitsTests.ids
    ) -> String {
        """
        {"entries":[\(rows)],"ids":\(ids),"last":true,"part":0,"type":"delta",\
        "union":false,"vectors":\(vectors)}
        """
    }

    private func row(
        key: String = "\"session/title\"",
        actor: String = "0",
        sequence: String = "1",
        milliseconds: String = "0",
        counter: String = "0",
        author: String = "1",
        value: String = "null"
    ) -> String {
        "[\(key),\(actor),\(sequence),\(milliseconds),\(counter),\(author),\(value)]"
    }

    private func isAccepted(_ text: String) -> Bool {
        switch Result(catching: { () throws(PeerMessageError) in
            try PeerMessageDecoder.decode(text)
        }) {
        case .success(let message): return message != nil
        case .failure(let error):
            switch error {
            case .badDelta, .longDelta, .notJSON: return false
            case .unknownType, .badMessage:
                Issue.record("not about the delta: \(error)")
                return false
            }
        }
    }

    @Test("numbers are accepted up to their limits")
    func numbers() {
        for sequence in ["1", "9007199254740991"] {
            #expect(isAccepted(delta(row(sequence: sequence))))
        }
        for sequence in ["0", "-1", "9007199254740992", "1.0", "1e0", "null", "\"1\"", "[]"] {
            #expect(!isAccepted(delta(row(sequence: sequence))), "\(sequence)")
        }
        #expect(isAccepted(delta(row(milliseconds: "281474976710655", counter: "65535"))))
        for milliseconds in ["-1", "281474976710656", "0.5", "null"] {
            #expect(!isAccepted(delta(row(milliseconds: milliseconds))), "\(milliseconds)")
        }
        for counter in ["-1", "65536", "true"] {
            #expect(!isAccepted(delta(row(counter: counter))), "\(counter)")
        }
        for index in ["-1", "2", "9007199254740991", "null", "\"0\"", "0.0"] {
            #expect(!isAccepted(delta(row(actor: index))), "\(index)")
            #expect(!isAccepted(delta(row(author: index))), "\(index)")
            #expect(!isAccepted(delta(row(key: "[\(index),\"birds\"]"))), "\(index)")
        }
    }

    @Test("values are accepted up to their limits")
    func values() {
        func quoted(_ count: Int) -> String { "\"\(String(repeating: "x", count: count))\"" }
        for value in [
            "null", "true", "false", "0", "-9007199254740991", "9007199254740991", "\"\"",
            quoted(Limits.textBytes), #"{"kind":"a","text":""}"#,
            "{\"kind\":\(quoted(EntryLimits.kindBytes)),\"text\":\(quoted(Limits.textBytes))}",
        ] {
            #expect(isAccepted(delta(row(value: value))), "\(value.prefix(40))")
        }
        for value in [
            "9007199254740992", "1.5", "1e3", "[]", "{}", #"{"kind":"a"}"#,
            #"{"kind":"a","text":1}"#, #"{"kind":"","text":""}"#,
            #"{"kind":"a","text":"","more":1}"#, quoted(Limits.textBytes + 1),
            "{\"kind\":\(quoted(EntryLimits.kindBytes + 1)),\"text\":\"\"}",
            "{\"kind\":\"a\",\"text\":\(quoted(Limits.textBytes + 1))}",
            "\"" + String(repeating: #"\u0001"#, count: Limits.textBytes + 1) + "\"",
        ] {
            #expect(!isAccepted(delta(row(value: value))), "\(value.prefix(40))")
        }
        let sheet = "\"session/sheet\""
        let longest = quoted(Limits.sheetBytes)
        #expect(isAccepted(delta(row(key: sheet, value: longest))))
        #expect(!isAccepted(delta(row(key: sheet, value: quoted(Limits.sheetBytes + 1)))))
    }

    @Test("keys are accepted up to their limits")
    func keys() {
        func long(_ count: Int) -> String { "\"\(String(repeating: "k", count: count))\"" }
        for key in [
            long(1), long(Limits.keyBytes), "[0,\"birds\"]", "[0,\"birds\",1]",
            "[0,\"birds\",1000000]", "\"cell/zz/birds\"",
        ] {
            #expect(isAccepted(delta(row(key: key))), "\(key.prefix(40))")
        }
        for key in [
            "\"\"", long(Limits.keyBytes + 1), "null", "1", "true", "{}", "[]", "[0]",
            "[0,\"birds\",0]", "[0,\"birds\",1000001]", "[0,\"birds\",1,1]", "[0,\"Birds\"]",
            "[0,\"\"]", "[\"birds\",0]", "[0,\"birds\",null]",
        ] {
            #expect(!isAccepted(delta(row(key: key))), "\(key.prefix(40))")
        }
    }

    @Test("a cell that is spelled as text is the same cell")
    func canonicalKey() throws {
        let id = "aaaaaaaaaaaaaaaa0000000000000003"
        for (short, long) in [("[0,\"birds\"]", "birds"), ("[0,\"round\",3]", "round/3")] {
            let asCell = try PeerMessageDecoder.decode(delta(row(key: short)))
            let asText = try PeerMessageDecoder.decode(delta(row(key: "\"cell/\(id)/\(long)\"")))
            #expect(asCell != nil)
            #expect(asCell == asText)
            let both = "\(row(key: short)),\(row(key: "\"cell/\(id)/\(long)\"", sequence: "2"))"
            guard case .delta(let delta) = try PeerMessageDecoder.decode(delta(both)) else {
                Issue.record("no delta")
                return
            }
            #expect(delta.changes.map(\.live.count) == [2])
        }
    }

    @Test("rows have seven elements")
    func rowLength() {
        #expect(!isAccepted(delta("[]")))
        #expect(!isAccepted(delta(#"["session/title",0,1,0,0,1]"#)))
        #expect(!isAccepted(delta(#"["session/title",0,1,0,0,1,null,null]"#)))
        #expect(!isAccepted(delta("null")))
        #expect(!isAccepted(delta("7")))
    }

    @Test("an invalid delta is rejected")
    func soundness() {
        let twice = row()
        #expect(!isAccepted(delta("\(twice),\(twice)")), "a dot twice in a set")
        let other = row(key: "\"session/game\"")
        #expect(!isAccepted(delta("\(twice),\(other)")), "a dot under two keys")
        let apart = [row(), row(key: "\"session/game\"", sequence: "2"), row(sequence: "3")]
        #expect(!isAccepted(delta(apart.joined(separator: ","))), "a key twice, not together")
        #expect(isAccepted(delta(row(sequence: "5"), vectors: "[[0,0,5]]")))
        #expect(!isAccepted(delta(row(sequence: "6"), vectors: "[[0,0,5]]")), "past the vector")
        #expect(!isAccepted(delta(row(), vectors: "[]")), "an actor that the vector has not")
    }

    @Test("vectors are checked")
    func vectors() {
        for vectors in ["[[0,1,1]]", "[[0,9007199254740991,0]]", "[[0,1,0],[1,0,1]]", "[]"] {
            #expect(isAccepted(delta("", vectors: vectors)), "\(vectors)")
        }
        for vectors in [
            "[[0,0,0]]", "[[0,-1,1]]", "[[0,1,9007199254740992]]", "[[2,1,1]]", "[[0,1]]",
            "[[0,1,1,1]]", "[[0,1,1],[0,2,2]]", "{}", "null", "[0]", "[[0,1.0,1]]",
        ] {
            #expect(!isAccepted(delta("", vectors: vectors)), "\(vectors)")
        }
        let same = #"["aaaaaaaaaaaaaaaa0000000000000003","aaaaaaaaaaaaaaaa0000000000000003"]"#
        #expect(!isAccepted(delta("", vectors: "[[0,1,1],[1,1,1]]", ids: same)))
        for ids in ["null", "[1]", #"["aaaaaaaaaaaaaaaa000000000000003"]"#, #"["AAAA"]"#] {
            #expect(!isAccepted(delta("", vectors: "[]", ids: ids)), "\(ids)")
        }
    }
}
