import FoundationEssentials

extension Sheet {
    /// How long the JSON of a sheet may be, in bytes: what a value of a session can hold.
    package static let longest = 256 * 1024

    /// Reads a sheet from its JSON, whoever wrote it.
    package init(json: String) throws(SheetError) {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.longest else { throw .tooLong(bytes.count) }
        do throws(JSONPlaces.Refusal) {
            _ = try JSONPlaces(bytes, keepsPlaces: false)
        } catch {
            throw .unreadable(path: "", reason: error.reason)
        }
        do {
            self = try JSONDecoder().decode(Sheet.self, from: Data(bytes))
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
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
