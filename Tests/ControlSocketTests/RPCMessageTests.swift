import JSONCoding
import SyncProtocol
import Testing

@Suite("A message of JSON-RPC")
struct RPCMessageTests {
    private func payload(_ frame: [UInt8]) -> [UInt8] { Array(frame.dropFirst(4)) }

    private func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    @Test("has the same bytes every time, keys sorted")
    func golden() throws {
        let call = WordsParameters(session: "a/b", words: ["Ann", "round.3=-5"])
        let frame = try RPCEncoding.request(.score, call, id: .integer(7))
        #expect(Array(frame.prefix(4)) == [0, 0, 0, UInt8(frame.count - 4)])
        #expect(
            text(payload(frame)) == #"{"id":7,"jsonrpc":"2.0","method":"score","#
                + #""params":{"session":"a/b","words":["Ann","round.3=-5"]}}"#
        )
        let reply = try RPCEncoding.result(InviteReply(), id: .text("x"))
        #expect(
            text(payload(reply)) == #"{"id":"x","jsonrpc":"2.0","#
                + #""result":{"code":null,"expires":null,"schema":1}}"#
        )
        let error = ControlError(.notFound, "no Bob", hint: "try: a b", candidates: ["Ann"])
        let fault = RPCFault(error)
        #expect(
            text(payload(RPCEncoding.fault(fault, id: .null)))
                == #"{"error":{"code":-32004,"data":{"candidates":["Ann"],"hint":"try: a b","kind":"not-found"},"#
                + #""message":"no Bob"},"id":null,"jsonrpc":"2.0"}"#
        )
    }

    @Test("is decoded as it was sent")
    func roundTrip() throws {
        let call = WordsParameters(words: ["Ann", "birds"])
        guard
            case .request(.integer(1), "clear", let parameters) = try RPCMessage(
                payload(try RPCEncoding.request(.clear, call, id: .integer(1)))
            )
        else {
            Issue.record("not read as a call")
            return
        }
        #expect(try ControlJSON.decode(WordsParameters.self, from: parameters) == call)
        let error = ControlError(.wrongCode, "wrong", hint: "again", candidates: ["a", "b"])
        let fault = RPCEncoding.fault(RPCFault(error), id: .integer(2))
        #expect(try RPCMessage(payload(fault)) == .fault(id: .integer(2), RPCFault(error)))
        #expect(RPCFault(error).error == error)
    }

    @Test("has an error whose hint follows the message on a terminal")
    func hint() {
        #expect(ControlError(.usage, "no row", hint: "say: a").text == "no row; say: a")
        #expect(ControlError(.usage, "Whose?", hint: "say: a").text == "Whose? say: a")
        #expect(ControlError(.usage, "no row").text == "no row")
    }

    @Test("keeps the bytes of its content as they came")
    func raw() throws {
        let bytes = Array(#"{"jsonrpc":"2.0", "id" : 1, "result" : { "a": [1, "}\",]"] } }"#.utf8)
        guard case .result(.integer(1), let result) = try RPCMessage(bytes) else {
            Issue.record("not read as an answer")
            return
        }
        #expect(text(result.bytes) == #"{ "a": [1, "}\",]"] }"#)
    }

    @Test(
        "is rejected if it is malformed",
        arguments: [
            ("", RPCFault.notJSON), ("{", RPCFault.notJSON), ("[]", RPCFault.notACall),
            ("7", RPCFault.notACall), (#"{"id":1,"method":"show"}"#, RPCFault.notACall),
            (#"{"jsonrpc":"1.0","id":1,"method":"show"}"#, RPCFault.notACall),
            (#"{"jsonrpc":"2.0","id":1}"#, RPCFault.notACall),
            (#"{"jsonrpc":"2.0","id":[1],"method":"show"}"#, RPCFault.notACall),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, RPCFault.notACall),
            (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"show"}"#, RPCFault.notJSON),
        ]
    )
    func refused(json: String, code: Int) {
        let fault = #expect(throws: RPCFault.self) { try RPCMessage(Array(json.utf8)) }
        #expect(fault?.code == code)
    }

    @Test("that is nested too deeply is rejected before decoding")
    func depth() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 600)
        let fault = #expect(throws: RPCFault.self) { try RPCMessage(deep) }
        #expect(fault?.code == RPCFault.notJSON)
    }

    @Test("reports malformed parameters with their path")
    func badParameters() {
        let error = #expect(throws: ControlError.self) {
            try ControlJSON.decode(WordsParameters.self, from: Array(#"{"words":[1]}"#.utf8))
        }
        #expect(error?.kind == .usage)
        #expect(error?.message.contains("words") == true)
    }

    @Test("decodes an unknown kind of error as a failure")
    func laterKind() throws {
        let json =
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32099,"message":"m","data":{"kind":"new"}}}"#
        guard case .fault(_, let fault) = try RPCMessage(Array(json.utf8)) else {
            Issue.record("not read as an error")
            return
        }
        #expect(fault.error == ControlError(.failed, "m"))
    }
}
