import FoundationEssentials
import JSONCoding

/// Any bytes: what is read here, Foundation's decoder must read as the same, and must not die of.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSONScan(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let root = try? JSONText(input).root else { return 0 }
    do {
        let ours = try root.decode(AnyJSON.self)
        let theirs = try JSONDecoder().decode(AnyJSON.self, from: Data(input))
        demand(ours == theirs, "it is read as something else")
        var json = JSONWriter()
        try json.document(ours)
        demand(try JSONText(json.bytes).root.decode(AnyJSON.self) == ours, "it is lost in writing")
    } catch {
        preconditionFailure("what was accepted is refused by a decoder: \(error)")
    }
    return 0
}
