internal import JSONCoding
internal import SessionCRDT

/// The first line of an export: what the file is, and where it comes from.
package struct ExportHeader: Hashable, Sendable {
    /// The version of the program that wrote it.
    package let program: String
    /// When it was written.
    package let at: Timestamp
    /// The device that wrote it.
    package let device: String
    /// What that device is called.
    package let name: String

    /// A header of these parts.
    package init(program: String, at: Timestamp, device: String, name: String) {
        self.program = program
        self.at = at
        self.device = device
        self.name = name
    }

    /// The line, without its end.
    package var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("at", at.description)
            json.field("device", device)
            json.field("format", ExportFormat.name)
            json.field("name", printable: name, limit: Limits.nameBytes)
            json.field("program", program)
            json.name("version")
            json.integer(ExportFormat.version)
        }
        return json.bytes
    }

    /// The header that a line is.
    ///
    /// - Throws: `foreign` where it begins no export, `newer` where a later version wrote it.
    init(_ line: JSONValue) throws(ExportError) {
        guard line["format"]?.string == ExportFormat.name, let version = line["version"]?.integer
        else { throw .foreign }
        let program = line["program"]?.string ?? "?"
        guard version <= ExportFormat.version else {
            throw .newer(version: version, program: PrintableText.cleaned(program, limit: 64))
        }
        guard version > 0, let at = line["at"]?.string.flatMap({ Timestamp($0) }),
            let device = line["device"]?.string.flatMap({ DeviceID($0) })
        else { throw .foreign }
        self.program = program
        self.at = at
        self.device = device.description
        name = PrintableText.cleaned(line["name"]?.string ?? "", limit: Limits.nameBytes)
    }
}
