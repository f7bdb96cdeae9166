import BoardSite
import JSONCoding
import SyncProtocol
import SyncTestKit
import Testing

@Suite("A call of the owner's page")
struct OwnerCallTests {
    private func call(_ json: String) throws(HTTPError) -> OwnerCall {
        try OwnerCall(Array(json.utf8))
    }

    private func status(_ json: String) -> UInt32? {
        do throws(HTTPError) {
            _ = try call(json)
            return nil
        } catch { return error.status }
    }

    @Test("passes the method and its parameters on unchanged")
    func passed() throws {
        let parameters = #"{"words": ["1","é"], "number":1.50}"#
        let call = try call(
            #"{"method":"score.write","params":PARAMETERS,"connection":"c"}"#
                .replacing("PARAMETERS", with: parameters)
        )
        #expect(call.method == "score.write")
        #expect(String(decoding: call.parameters?.bytes ?? [], as: UTF8.self) == parameters)
        #expect(call.connection == "c")
        #expect(try self.call(#"{"method":"status"}"#).parameters == nil)
    }

    @Test("may not stop, follow or wait for the daemon")
    func excluded() {
        for method in ["daemon.stop", "watch", "wait", "negotiate"] {
            #expect(status(#"{"method":"\#(method)","params":{}}"#) == 403, "\(method)")
        }
        #expect(status(#"{"method":"daemon.offline","params":{}}"#) == nil)
    }

    @Test("of an export with the key is asked about first")
    func withKey() throws {
        let export = #""method":"export.begin","params":{"withKey":true}"#
        #expect(throws: HTTPError.self) { _ = try call("{\(export)}") }
        do throws(HTTPError) { _ = try call("{\(export),\"confirmed\":false}") } catch {
            #expect((error.status, error.kind) == (409, "question"))
            #expect(error.message.contains("the key of the session"))
        }
        #expect(status("{\(export),\"confirmed\":true}") == nil)
        #expect(status(#"{"method":"export.begin","params":{"withKey":false}}"#) == nil)
    }

    @Test(
        "is rejected if it is anything else",
        arguments: [
            "", "{", "[]", "null", "{}", #"{"method":7}"#, #"{"method":"a b"}"#,
            #"{"method":"status\n"}"#, #"{"method":"status","params":[]}"#,
            #"{"method":"status","params":"x"}"#, #"{"method":"Status"}"#,
            #"{"params":{}}"#, #"["status"]"#,
        ]
    )
    func malformed(_ json: String) {
        #expect(status(json) == 400)
    }

    @Test("and a claim may have any bytes", arguments: [1, 2] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let samples = [
            #"{"method":"export.begin","params":{"withKey":true},"connection":"e"}"#,
            #"{"method":"score.write","params":{"player":"Ann","words":["7"]}}"#,
            #"{"player":"0123456789abcdef","handsOver":true}"#, #"{"name":"Dora"}"#,
            String(repeating: "[", count: 4096), #"{"method":"\#u{0}\ud800"}"#,
        ]
        var counts = (accepted: 0, rejected: 0)
        for _ in 0..<2_000 {
            let bytes = random.damaged(Array((random.pick(samples) ?? "").utf8))
            do throws(HTTPError) {
                if random.happens(2) { _ = try OwnerCall(bytes) } else { _ = try Claim(bytes) }
                counts.accepted += 1
            } catch {
                #expect([400, 403, 409].contains(error.status), "seed \(seed): \(error)")
                counts.rejected += 1
            }
        }
        #expect(counts.accepted > 0 && counts.rejected > 0)
    }
}

@Suite("A claim of a link")
struct ClaimTests {
    private func claim(_ json: String) throws(HTTPError) -> Claim { try Claim(Array(json.utf8)) }

    @Test("names a player or a new one, and may hand over")
    func forms() throws {
        #expect(try claim(#"{"player":"a"}"#).player == "a")
        #expect(try claim(#"{"player":"a","handsOver":true}"#).handsOver == true)
        #expect(try claim(#"{"name":"Dora"}"#).name == "Dora")
    }

    @Test(
        "is rejected if it is anything else",
        arguments: [
            "", "{}", "[]", "null", #"{"player":"a","name":"b"}"#, #"{"player":7}"#,
            #"{"name":["Dora"]}"#, #"{"player":"a","handsOver":"yes"}"#,
        ]
    )
    func malformed(_ json: String) {
        #expect(throws: HTTPError.self) { try claim(json) }
    }
}
