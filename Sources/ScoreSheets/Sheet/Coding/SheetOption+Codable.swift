import SessionCRDT

extension SheetOption: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case name
        case kind
        case range
        case odd
        case choices
        case `default`
        case help
    }

    private enum Kind: String, CaseIterable {
        case boolean
        case integer
        case choice
        case text
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        name = try fields.symbol(.name)
        guard Field.option(name) != nil else { throw fields.refusal(.name, "it is too long") }
        help = try fields.text(.help)
        let kind = try fields.word(.kind, of: Kind.self)
        if kind != .integer, fields.contains(.range) {
            throw fields.refusal(.range, "only an integer has one")
        }
        if kind != .integer, fields.contains(.odd) {
            throw fields.refusal(.odd, "only an integer can be")
        }
        isOdd = try fields.decodeIfPresent(Bool.self, forKey: .odd) ?? false
        if kind != .choice, fields.contains(.choices) {
            throw fields.refusal(.choices, "only a choice has them")
        }
        switch kind {
        case .boolean:
            self.kind = .boolean(default: try fields.decode(Bool.self, forKey: .default))
        case .integer:
            let range = try fields.decodeIfPresent(Bounds.self, forKey: .range) ?? .all
            let number = try fields.integer(.default)
            if let number, !range.contains(number) {
                throw fields.refusal(.default, "\(number) is out of the range")
            }
            if isOdd, let number, !number.isOdd {
                throw fields.refusal(.default, "\(number) is even")
            }
            self.kind = .integer(range, default: number)
        case .choice:
            let choices = try fields.symbols(.choices)
            try fields.expect(choices, .choices, 1...Sheet.Limits.choices)
            let choice = try fields.symbol(.default)
            guard choices.contains(choice) else {
                throw fields.refusal(.default, "\(choice) is not one of the choices")
            }
            self.kind = .choice(choices, default: choice)
        case .text:
            self.kind = .text(default: try fields.decodeIfPresent(String.self, forKey: .default))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(name.description, forKey: .name)
        try fields.encode(help, forKey: .help)
        switch kind {
        case .boolean(let isSet):
            try fields.encode(Kind.boolean.rawValue, forKey: .kind)
            try fields.encode(isSet, forKey: .default)
        case .integer(let range, let number):
            try fields.encode(Kind.integer.rawValue, forKey: .kind)
            try fields.encode(range, forKey: .range)
            if isOdd { try fields.encode(isOdd, forKey: .odd) }
            try fields.encodeIfPresent(number, forKey: .default)
        case .choice(let choices, let choice):
            try fields.encode(Kind.choice.rawValue, forKey: .kind)
            try fields.encode(choices.map(\.description), forKey: .choices)
            try fields.encode(choice.description, forKey: .default)
        case .text(let text):
            try fields.encode(Kind.text.rawValue, forKey: .kind)
            try fields.encodeIfPresent(text, forKey: .default)
        }
    }
}
