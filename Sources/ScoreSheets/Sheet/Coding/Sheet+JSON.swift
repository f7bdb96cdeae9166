import JSONCoding

extension Sheet {
    /// How long the JSON of a sheet may be, in bytes: what a value of a session can hold.
    package static let longest = 256 * 1024

    /// Reads a sheet from its JSON, whoever wrote it.
    package init(json: String) throws(SheetError) {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.longest else { throw .tooLong(bytes.count) }
        do {
            self = try SheetText(bytes).root.decode(Sheet.self)
        } catch let refusal as SheetText.Refusal {
            throw .unreadable(path: "", reason: refusal.reason)
        } catch let error as DecodingError {
            let flaw = PlacedFlaw.all(in: error).first
            throw .unreadable(path: flaw?.path ?? "", reason: flaw?.reason ?? "\(error)")
        } catch {
            throw .unreadable(path: "", reason: "\(error)")
        }
    }

    /// The sheet as JSON, the same bytes in every process.
    package var json: String {
        get throws {
            var json = JSONWriter()
            try json.document(self)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }
}
