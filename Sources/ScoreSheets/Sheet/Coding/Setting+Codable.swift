import SessionCRDT

/// The fields of a setting that is left to an option.
private enum SettingFields: String, CodingKey, CaseIterable {
    case option
}

extension Setting: Codable where Constant: Codable {
    /// Reads `{"option": NAME}`, or else the constant itself.
    package init(from decoder: any Decoder) throws {
        if (try? decoder.container(keyedBy: SettingFields.self)) != nil {
            self = .option(try decoder.fields(SettingFields.self).symbol(.option))
        } else {
            self = .always(try decoder.singleValueContainer().decode(Constant.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .always(let constant):
            var container = encoder.singleValueContainer()
            try container.encode(constant)
        case .option(let name):
            var fields = encoder.container(keyedBy: SettingFields.self)
            try fields.encode(name.description, forKey: .option)
        }
    }
}

extension WinRule: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let rule = WinRule(rawValue: text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(text.quoted) is neither highest nor lowest"
                )
            )
        }
        self = rule
    }
}
