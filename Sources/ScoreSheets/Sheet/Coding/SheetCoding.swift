import JSONCoding
import SessionCRDT

extension Sheet: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        /// The JSON Schema for editors; not read here.
        case schema = "$schema"
        case id, name, version, summary, group
        case bggID = "bggId"
        case help, commands, players, seats, engine, rows
        case options, wins, tieBreakers, target, ends, tie, counts, teams, checks, sets
    }

    /// Decodes a sheet and collects the flaws of all its parts, so that one does not hide another.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Fields.self)
        var flaws = try decoder.unknownFields(Fields.self)
        func read<Part>(_ fallback: Part, _ body: () throws -> Part) -> Part {
            do { return try body() } catch {
                flaws += SheetFlaw.all(in: error)
                return fallback
            }
        }
        func part<Part: Decodable>(_ key: Fields, or fallback: Part) -> Part {
            read(fallback) { try fields.decodeIfPresent(Part.self, forKey: key) ?? fallback }
        }
        func list<Part: Decodable>(_ key: Fields) -> [Part] {
            part(key, or: [Attempt<Part>]()).compactMap { attempt in
                read(nil) { try attempt.result.get() }
            }
        }
        func word<Word: RawRepresentable<String> & CaseIterable>(
            _ key: Fields,
            or fallback: Word
        ) -> Word {
            read(fallback) { try fields.contains(key) ? fields.word(key) : fallback }
        }
        id = read(Symbol(known: "x")) { try fields.symbol(.id) }
        name = read("") { try fields.label(.name) }
        version = read(1) {
            let version = try fields.integer(.version) ?? 1
            guard version >= 1 else { throw fields.refusal(.version, "versions count from 1") }
            return version
        }
        summary = read("") { try fields.text(.summary) }
        group = read(nil) { try fields.contains(.group) ? fields.word(.group) : nil }
        bggID = read(nil) {
            guard let id = try fields.integer(.bggID) else { return nil }
            guard id >= 1 else { throw fields.refusal(.bggID, "numbers begin with 1") }
            return id
        }
        help = read("") { try fields.text(.help) }
        commands = read("") { try fields.text(.commands) }
        players = read(.anybody) {
            let players = try fields.decodeIfPresent(Bounds.self, forKey: .players) ?? .anybody
            guard players.from >= 0 else { throw fields.refusal(.players, "below 0") }
            return players
        }
        seats = part(.seats, or: [])
        gameEngine = word(.engine, or: .rows)
        let entries: [RowEntry] = list(.rows)
        rows = entries.flatMap(\.rows)
        options = list(.options)
        wins = part(.wins, or: .always(.highest))
        tieBreakers = list(.tieBreakers)
        target = part(.target, or: nil)
        ends = part(.ends, or: .always(.round))
        tie = word(.tie, or: .share)
        counts = word(.counts, or: .up)
        teams = word(.teams, or: gameEngine.teams)
        checks = list(.checks)
        sets = part(.sets, or: [])
        if !fields.contains(.rows) { flaws.append(fields.refusal(.rows, "missing")) }
        if flaws.isEmpty {
            flaws =
                rows.isEmpty
                ? [fields.refusal(.rows, "a sheet needs a row")] : SheetValidation(self).flaws
        }
        if !flaws.isEmpty { throw SheetFlaws(flaws: flaws) }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Fields.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(version, forKey: .version)
        try fields.encode(summary, forKey: .summary)
        try fields.encodeIfPresent(group?.rawValue, forKey: .group)
        try fields.encodeIfPresent(bggID, forKey: .bggID)
        try fields.encode(help, forKey: .help)
        if !commands.isEmpty { try fields.encode(commands, forKey: .commands) }
        try fields.encode(players, forKey: .players)
        if !seats.isEmpty { try fields.encode(seats, forKey: .seats) }
        try fields.encode(gameEngine.rawValue, forKey: .engine)
        try fields.encode(rowEntries, forKey: .rows)
        try fields.encode(options, forKey: .options)
        try fields.encode(wins, forKey: .wins)
        try fields.encode(tieBreakers, forKey: .tieBreakers)
        try fields.encodeIfPresent(target, forKey: .target)
        if ends != .always(.round) { try fields.encode(ends, forKey: .ends) }
        if tie != .share { try fields.encode(tie.rawValue, forKey: .tie) }
        if counts != .up { try fields.encode(counts.rawValue, forKey: .counts) }
        if teams != gameEngine.teams { try fields.encode(teams.rawValue, forKey: .teams) }
        if !checks.isEmpty { try fields.encode(checks, forKey: .checks) }
        if !sets.isEmpty { try fields.encode(sets, forKey: .sets) }
    }
}

/// A decoded element of a list, or its flaws.
private struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, any Error>

    init(from decoder: any Decoder) { result = Result { try Value(from: decoder) } }
}

private enum SettingFields: String, CodingKey, CaseIterable {
    case option, when, `is`, `else`
}

extension Setting: Codable where Constant: Codable {
    /// Decodes `{"option": NAME}`, or `{"when": CONDITION, "is": SETTING, "else": SETTING}`, or the
    /// constant itself.
    package init(from decoder: any Decoder) throws {
        guard (try? decoder.container(keyedBy: SettingFields.self)) != nil else {
            do {
                self = .always(try decoder.singleValueContainer().decode(Constant.self))
            } catch {
                // Throws a more precise error for other numbers, such as fractions.
                if Constant.self == Int64.self { _ = try decoder.number() }
                throw error
            }
            return
        }
        let fields = try decoder.fields(SettingFields.self)
        guard fields.contains(.when) else {
            self = .option(try fields.symbol(.option))
            let stray = fields.allKeys.sorted { $0.rawValue < $1.rawValue }.first { $0 != .option }
            if let stray { throw fields.refusal(stray, "only with “when”") }
            return
        }
        if fields.contains(.option) { throw fields.refusal(.option, "it belongs in “when”") }
        self = .when(
            try fields.decode(Condition.self, forKey: .when),
            try fields.decode(Setting.self, forKey: .is),
            else: try fields.decodeIfPresent(Setting.self, forKey: .else)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .always(let constant): try constant.encode(to: encoder)
        case .option(let name):
            var fields = encoder.container(keyedBy: SettingFields.self)
            try fields.encode(name, forKey: .option)
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
            throw decoder.flaw("\(text.quoted) is neither highest nor lowest")
        }
        self = rule
    }
}

extension TargetEnd: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let end = TargetEnd(rawValue: text) else {
            let known = TargetEnd.allCases.map(\.rawValue)
            let list = known.joined(separator: ", ")
            throw decoder.flaw(
                "\(text.quoted) is not one of: \(list)" + text.suggestion(among: known)
            )
        }
        self = end
    }
}

extension SheetOption: Codable {
    private enum Fields: String, CodingKey, CaseIterable {
        case name, kind, range, odd, choices, `default`, help
    }

    private enum Kind: String, CaseIterable {
        case boolean, integer, choice, text
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Fields.self)
        name = try fields.symbol(.name)
        guard Field.option(name) != nil else { throw fields.refusal(.name, "too long") }
        help = try fields.text(.help)
        let kind: Kind = try fields.word(.kind)
        let owners: KeyValuePairs = [Fields.range: Kind.integer, .odd: .integer, .choices: .choice]
        for (field, owner) in owners where kind != owner && fields.contains(field) {
            throw fields.refusal(field, "only for options of the kind \(owner.rawValue)")
        }
        isOdd = try fields.decodeIfPresent(Bool.self, forKey: .odd) ?? false
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
            let choices = try fields.symbols(.choices, 1...Sheet.Limits.choices)
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
        try fields.encode(name, forKey: .name)
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
            try fields.encode(choices, forKey: .choices)
            try fields.encode(choice, forKey: .default)
        case .text(let text):
            try fields.encode(Kind.text.rawValue, forKey: .kind)
            try fields.encodeIfPresent(text, forKey: .default)
        }
    }
}

extension Sheet {
    /// The maximum size of the JSON of a sheet in bytes, which is that of a value in a session.
    package static let maxBytes = 256 * 1024

    package init(json: String) throws(SheetError) {
        let bytes = Array(json.utf8)
        guard bytes.count <= Sheet.maxBytes else { throw .tooLong(bytes.count) }
        do {
            self = try SheetText(bytes).root.decode(Sheet.self)
        } catch let refusal as SheetText.Refusal {
            throw .unreadable(path: refusal.path, reason: refusal.reason)
        } catch {
            let flaw = SheetFlaw.all(in: error)[0]
            throw .unreadable(path: SheetFlaw.text(of: flaw.path), reason: flaw.reason)
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
