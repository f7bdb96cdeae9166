import SyncProtocol

/// An arbitrary file of names: what is read is within the limits, and is read again from a list and
/// from a table.
func fuzzNameFiles(_ input: [UInt8]) {
    guard let names = try? NameFile.names(in: input) else { return }
    demand((1...NameFile.names).contains(names.count), "too many names, or none")
    demand(Set(names.map { $0.lowercased() }).count == names.count, "a name is there twice")
    demand(names.allSatisfy { !$0.isEmpty && $0.utf8.count <= input.count }, "a name is made up")
    let lines = names.map { name in
        let isGuarded = name.utf8.first.map { "'=+-@\t\r".utf8.contains($0) } ?? false
        // By bytes: a quote with a combining mark is a character of its own.
        let doubled = name.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
        return isGuarded ? nil : "7,\"\(String(decoding: doubled, as: UTF8.self))\"\r\n"
    }
    // Names that begin like a guarded one may lose an apostrophe.
    guard !lines.contains(nil) else { return }
    let table = "seat,name\r\n" + lines.compactMap(\.self).joined()
    demand((try? NameFile.names(in: Array(table.utf8))) == names, "a table has other names")
}
