import SyncProtocol
import Testing

@Suite("Times that people type")
struct TypedTimeTests {
    @Test(
        "are a number and its unit",
        arguments: [
            ("90s", 90_000), ("30m", 1_800_000), ("4h", 14_400_000), ("2d", 172_800_000),
            ("0s", 0), ("0.5s", 500), ("1.5h", 5_400_000),
            ("99999999999d", 8_639_999_999_913_600_000),
        ] as [(String, Int64)]
    )
    func parsed(text: String, milliseconds: Int64) {
        #expect(TypedTime(text)?.milliseconds == milliseconds)
        #expect(TypedTime(text, usual: .days)?.milliseconds == milliseconds)
    }

    @Test("may lack the unit only where one is usual")
    func usual() {
        #expect(TypedTime("10") == nil)
        #expect(TypedTime("10", usual: .seconds) == TypedTime(10, .seconds))
        #expect(TypedTime("2", usual: .minutes) == TypedTime(120, .seconds))
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "s", ".s", "1.2.3s", "-1s", "+1s", "1e3s", "infs", "nan", "0x1s", "1 h", "1h30m",
            "1S", "1w", "٣s", "999999999999d",
        ]
    )
    func rejected(text: String) {
        #expect(TypedTime(text, usual: .seconds) == nil)
    }

    @Test("are printed in their largest unit")
    func printed() {
        let times = ["0s", "1s", "90s", "1m", "36h", "2d", "0.5s"]
        #expect(times.map { TypedTime($0)?.description } == times)
        #expect(TypedTime(24, .hours).description == "1d")
    }

    @Test("beyond the limits, or without a unit, are refused with what would be right")
    func limits() {
        func refusal(_ text: String) -> String? {
            do throws(ControlError) {
                _ = try TypedTime(text, of: "for", in: TypedTime(1, .minutes)...TypedTime(1, .days))
                return nil
            } catch { return error.kind == .usage ? error.message : "\(error)" }
        }
        #expect(refusal("1m") == nil && refusal("1d") == nil)
        for text in ["59s", "25h", "soon"] {
            let wanted = "--for needs a time from 1m to 1d, such as 30m or 4h, not '\(text)'"
            #expect(refusal(text) == wanted)
        }
        #expect(refusal("90")?.hasSuffix("; a number needs its unit: 90s, 30m, 4h, 2d") == true)
    }
}
