import SessionCRDT

extension String {
    /// What the fields and words of sheets are called elsewhere, the likeliest first.
    private static let synonyms = [
        "type": ["kind"], "title": ["label", "name"], "name": ["id", "label", "row", "option"],
        "id": ["name", "row", "option"], "label": ["name"], "key": ["id"],
        "description": ["help", "summary"], "min": ["from", "range"], "max": ["to", "range"],
        "minimum": ["from", "range"], "maximum": ["to", "range"], "score": ["points"],
        "value": ["points"], "flag": ["boolean"], "bool": ["boolean", "flag"],
        "boolean": ["flag"], "int": ["integer", "number"], "integer": ["number"],
        "number": ["integer"], "string": ["text"], "enum": ["choice"],
    ]

    /// The question whether another field or word of a sheet was meant: one that others call so, if
    /// it is not there yet, else one that is spelled nearly so.
    func suggestion(among known: [String], without taken: [String]) -> String {
        let meant = String.synonyms[lowercased()] ?? []
        let synonym = meant.first { known.contains($0) && !taken.contains($0) }
        return synonym.map { "; did you mean \($0)?" } ?? suggestion(among: known)
    }

    /// How it is written as a name: `sushi-go` of `Sushi Go!`; nil where it has letters that names
    /// do not have.
    func asName(hasDots: Bool) -> Symbol? {
        guard utf8.count <= 100 else { return nil }
        var name = ""
        for scalar in lowercased().unicodeScalars {
            if scalar.properties.isAlphabetic, !scalar.isASCII { return nil }
            let isPlain = Symbol(String(scalar)) != nil && (hasDots || scalar != ".")
            if isPlain {
                name.unicodeScalars.append(scalar)
            } else if scalar.properties.isWhitespace || scalar == ".", name.last != "-" {
                name += "-"
            }
        }
        return Symbol(name)
    }
}
