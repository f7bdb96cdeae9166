import FoundationEssentials
import SyncProtocol

/// Any bytes: what the scan accepts, Foundation's decoder must read, and must not die of.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSONScan(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard (try? JSONScan.check(input)) != nil else { return 0 }
    do {
        _ = try JSONDecoder().decode(Anything.self, from: Data(input))
    } catch {
        preconditionFailure("the scan accepted what the decoder refuses: \(error)")
    }
    return 0
}

/// Any JSON, kept nowhere.
private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {
        if var array = try? decoder.unkeyedContainer() {
            while !array.isAtEnd { _ = try array.decode(Anything.self) }
        } else if let object = try? decoder.container(keyedBy: Name.self) {
            for key in object.allKeys { _ = try object.decode(Anything.self, forKey: key) }
        } else {
            let single = try decoder.singleValueContainer()
            guard !single.decodeNil(), (try? single.decode(Bool.self)) == nil,
                (try? single.decode(Int64.self)) == nil, (try? single.decode(Double.self)) == nil
            else { return }
            _ = try single.decode(String.self)
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
