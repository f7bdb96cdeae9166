import SessionCRDT

/// The fields of a setting that depends on an option.
private enum SettingFields: String, CodingKey, CaseIterable {
    case option
    case when
    case `is`
    case `else`
}

extension Setting: Codable where Constant: Codable {
    /// Reads `{"option": NAME}`, or `{"when": CONDITION, "is": SETTING, "else": SETTING}`, or the
    /// constant itself.
    package init(from decoder: any Decoder) throws {
        guard (try? decoder.container(keyedBy: SettingFields.self)) != nil else {
            do {
                self = .always(try decoder.singleValueContainer().decode(Constant.self))
            } catch {
                // Other numbers are refused in better words.
                if Constant.self == Int64.self { _ = try decoder.number() }
                throw error
            }
            return
        }
        let fields = try decoder.fields(SettingFields.self)
        guard fields.contains(.when) else {
            self = .option(try fields.symbol(.option))
            let stray = fields.allKeys.sorted { $0.rawValue < $1.rawValue }.first { $0 != .option }
            if let stray { throw fields.refusal(stray, "it goes with “when”") }
            return
        }
        if fields.contains(.option) { throw fields.refusal(.option, "it stands within “when”") }
        self = .when(
            try fields.decode(Condition.self, forKey: .when),
            try fields.decode(Setting.self, forKey: .is),
            else: try fields.decodeIfPresent(Setting.self, forKey: .else)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .always(let constant):
            var container = encoder.singleValueContainer()
            try container.encode(constant)
        case .option(let name):
            var fields = encoder.container(keyedBy: SettingFields.self)
            try fields.encode(name.description, forKey: .option)
        case .when(let condition, let setting, let other):
            var fields = encoder.container(keyedBy: SettingFields.self)
            try fields.encode(condition, forKey: .when)
            try fields.encode(setting, forKey: .is)
            try fields.encodeIfPresent(other, forKey: .else)
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
