import FoundationEssentials
import JSONCoding

/// Arbitrary bytes: Foundation's decoder must read accepted JSON as the same values, and nothing
/// traps.
func fuzzJSONScan(_ input: [UInt8]) {
    guard let root = try? JSONText(input).root else { return }
    do {
        let ours = try root.decode(AnyJSON.self)
        do {
            let theirs = try JSONDecoder().decode(AnyJSON.self, from: Data(input))
            demand(ours == theirs, "it is read as something else")
        } catch {
            // Foundation rejects some valid numbers like this, depending on position and exponent.
            demand(hasZeroWithExponent(input), "Foundation refuses it: \(error)")
        }
        var json = JSONWriter()
        try json.document(ours)
        demand(try JSONText(json.bytes).root.decode(AnyJSON.self) == ours, "it is lost in writing")
    } catch {
        preconditionFailure("what was accepted is refused by a decoder: \(error)")
    }
}

/// Whether there is a number with an exponent whose other digits are all 0.
private func hasZeroWithExponent(_ input: [UInt8]) -> Bool {
    let text = String(decoding: input, as: UTF8.self).lowercased()
    let numbers = text.split { !"0123456789.e+-".contains($0) }
    return numbers.contains { number in
        let parts = number.split(separator: "e", maxSplits: 1)
        return parts.count == 2 && parts[0].contains("0")
            && !parts[0].contains { ("1"..."9").contains($0) }
    }
}
