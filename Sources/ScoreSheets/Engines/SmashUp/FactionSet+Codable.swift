import SessionCRDT

extension FactionSet: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case id
        case name
        case chosen
        case factions
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        id = try fields.symbol(.id)
        name = try fields.factionName(.name)
        isChosen = try fields.decodeIfPresent(Bool.self, forKey: .chosen) ?? false
        factions = try fields.decode([Faction].self, forKey: .factions)
        guard (1...Sheet.Limits.factions).contains(factions.count) else {
            throw fields.refusal(
                .factions,
                "a set has 1 to \(Sheet.Limits.factions) factions, not \(factions.count)"
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(id.description, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(isChosen, forKey: .chosen)
        try fields.encode(factions, forKey: .factions)
    }
}

extension Faction: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case id
        case name
    }

    /// Reads `"Bear Cavalry"`, or `{"id": …, "name": …}` where the name makes no good id.
    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            guard text.unicodeScalars.count <= Sheet.Limits.label, let id = Faction.id(of: text),
                let faction = Faction(id: id, name: text)
            else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "\(text.quoted) makes no id that can be typed; "
                            + #"write {"id": …, "name": …}"#
                    )
                )
            }
            self = faction
        } else {
            let fields = try decoder.fields(Fields.self)
            let id = try fields.symbol(.id)
            guard let faction = Faction(id: id, name: try fields.factionName(.name)) else {
                throw fields.refusal(.id, "it is too long")
            }
            self = faction
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if Faction.id(of: name) == id {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        } else {
            var fields = encoder.container(keyedBy: Fields.self)
            try fields.encode(id.description, forKey: .id)
            try fields.encode(name, forKey: .name)
        }
    }
}

extension KeyedDecodingContainer {
    /// The name of a set or a faction in this field.
    fileprivate func factionName(_ key: Key) throws -> String {
        let name = try label(key)
        guard name.unicodeScalars.count <= Sheet.Limits.label else {
            throw refusal(key, "it is longer than \(Sheet.Limits.label) characters")
        }
        return name
    }
}
