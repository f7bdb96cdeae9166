import JSONCoding

/// Says everything that is wrong with the JSON of a sheet, and where.
package enum SheetCheck {
    /// What is wrong, from the top; nothing where the JSON is a sheet.
    ///
    /// Fields, rows and options are looked at one by one, so that a flaw in one hides none in the
    /// next; how they fit together is judged once each is right in itself, and at last what can be
    /// read and is never meant, as a division by zero.
    package static func problems(in json: String) -> [SheetProblem] {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.longest else {
            let reason = SheetError.tooLong(bytes.count).description
            return [SheetProblem(line: 1, column: 1, path: "", reason: reason)]
        }
        let text: SheetText
        do throws(SheetText.Refusal) {
            text = try SheetText(bytes)
        } catch {
            let (line, column) = SheetText.position(of: error.offset, in: bytes)
            return [SheetProblem(line: line, column: column, path: "", reason: error.reason)]
        }
        let lengths = lengthFlaws(text.root)
        let (places, written) = (text.places, text.writtenPlaces)
        func first(_ path: String) -> String {
            let origin = text.origin(of: PlacedFlaw(path: path, reason: ""), written)
            return "; the first is in line \(SheetText.position(of: origin.byte, in: bytes).line)"
        }
        // What a template says wrong is told once, and not for each row that it stands for.
        var seen: Set<SheetProblem> = []
        return (lengths.isEmpty ? SheetHints(places).added(to: flaws(places)) : lengths)
            .map { flaw in
                (text.origin(of: flaw, written), flaw.reason + (flaw.twin.map(first) ?? ""))
            }
            .sorted { ($0.0.byte, $0.0.path, $0.1) < ($1.0.byte, $1.0.path, $1.1) }
            .map { origin, reason in
                let (line, column) = SheetText.position(of: origin.byte, in: bytes)
                return SheetProblem(line: line, column: column, path: origin.path, reason: reason)
            }
            .filter { seen.insert($0).inserted }
    }

    /// Lists that are too long, of which the parts are not looked at.
    private static func lengthFlaws(_ sheet: JSONValue) -> [PlacedFlaw] {
        Sheet.Limits.lists.compactMap { field, most in
            let count = sheet[field.stringValue]?.elements.count ?? 0
            guard count > most else { return nil }
            return PlacedFlaw(path: field.stringValue, reason: SheetFlaw.excess(count, most))
        }
    }

    /// Everything that is wrong, each once.
    private static func flaws(_ places: [String: JSONValue]) -> [PlacedFlaw] {
        var flaws = flaws(Sheet.self, at: "", places) + fieldFlaws(places)
        for (list, check) in [
            ("rows", { Self.flaws(RowEntry.self, at: $0, places) }),
            ("options", { Self.flaws(SheetOption.self, at: $0, places) }),
            ("tieBreakers", { Self.flaws(TieBreaker.self, at: $0, places) }),
        ] as [(String, (String) -> [PlacedFlaw])] {
            var index = 0
            while places["\(list)[\(index)]"] != nil {
                flaws += check("\(list)[\(index)]")
                index += 1
            }
        }
        if flaws.isEmpty, let sheet = try? places[""]?.decode(Sheet.self) {
            return sheet.doubts.map { doubt in
                PlacedFlaw(path: PlacedFlaw.text(of: doubt.path), reason: doubt.reason)
            }
        }
        var seen: Set<PlacedFlaw> = []
        return flaws.filter { seen.insert($0).inserted }
    }

    /// What is wrong with each field of the sheet, seen in a sheet of which all else is right.
    private static func fieldFlaws(_ places: [String: JSONValue]) -> [PlacedFlaw] {
        var sound: [String: [UInt8]] = [
            "id": Array(#""x""#.utf8),
            "name": Array(#""x""#.utf8),
            "rows": Array(#"[{"id": "x", "label": "x", "kind": "number"}]"#.utf8),
        ]
        guard let sheet = places[""], sheet.isObject else { return [] }
        let missing = sound.keys.sorted().filter { sheet[$0] == nil }
            .map { PlacedFlaw(path: $0, reason: PlacedFlaw.missing) }
        return sheet.members.reduce(into: missing) { flaws, member in
            guard let field = member.name.string else { return }
            let before = sound.updateValue(Array(member.value.bytes), forKey: field)
            var json = JSONWriter()
            json.object { json in
                for (name, value) in sound.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    json.value(value)
                }
            }
            sound[field] = before
            do {
                _ = try JSONText(json.bytes, numbers: .any).root.decode(Sheet.self)
            } catch let error as DecodingError {
                flaws += PlacedFlaw.ofParts(in: error)
            } catch { flaws.append(PlacedFlaw(path: field, reason: "\(error)")) }
        }
    }

    /// What is wrong with one part, decoded by itself.
    private static func flaws<Part: Decodable>(
        _: Part.Type,
        at path: String,
        _ places: [String: JSONValue]
    ) -> [PlacedFlaw] {
        do {
            _ = try places[path]?.decode(Part.self)
            return []
        } catch let error as DecodingError {
            return PlacedFlaw.all(in: error, at: path)
        } catch {
            return [PlacedFlaw(path: path, reason: "\(error)")]
        }
    }
}

/// Something that is wrong with the JSON of a sheet.
package struct SheetProblem: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The character in the line, from 1.
    package let column: Int
    /// What is there: `rows[2].kind`; empty for the whole.
    package let path: String
    /// What is wrong with it, in words.
    package let reason: String
}

extension SheetProblem: CustomStringConvertible {
    /// The problem in one line: `line 7, column 12: rows[2].kind: …`.
    package var description: String {
        "line \(line), column \(column): \(path.isEmpty ? "" : path + ": ")\(reason)"
    }
}
