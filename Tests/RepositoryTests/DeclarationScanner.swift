/// Finds the declarations in the tokens of one file, with their modifiers and the extent of their
/// bodies.
///
/// It matches braces and knows which ones hold members; variables and cases are taken only there
/// and at file level, so that the statements of a body are not mistaken for declarations.
struct DeclarationScanner {
    private let tokens: [Token]
    private var found: [Declaration] = []
    /// For each open brace the index of the declaration that it belongs to, if any.
    private var scopes: [Int?] = []
    /// Braces that were met ahead, in the header of the declaration that they belong to.
    private var owners: [Int: Int] = [:]

    /// The declarations in the order of the file.
    static func declarations(in tokens: [Token]) -> [Declaration] {
        var scanner = DeclarationScanner(tokens)
        for index in tokens.indices { scanner.read(index) }
        return scanner.found
    }

    private init(_ tokens: [Token]) {
        self.tokens = tokens
    }

    private mutating func read(_ index: Int) {
        let token = tokens[index]
        switch token.text {
        case "{": scopes.append(owners[index])
        case "}":
            if let scope = scopes.popLast(), let owner = scope {
                found[owner].lastLine = token.line
            }
        default:
            guard token.isWord, let kind = Declaration.Kind(rawValue: token.text),
                introduces(kind, at: index)
            else { return }
            add(kind, at: index)
        }
    }

    private func text(_ index: Int) -> String {
        tokens.indices.contains(index) ? tokens[index].text : ""
    }

    /// Whether the word at `index` starts a declaration, and is no label, member or statement.
    private func introduces(_ kind: Declaration.Kind, at index: Int) -> Bool {
        let before = text(index - 1)
        let next = text(index + 1)
        let isWordNext = tokens.indices.contains(index + 1) && tokens[index + 1].isWord
        guard before != ".", before != "import" else { return false }
        switch kind {
        case .struct, .class, .enum, .protocol, .extension, .typealias:
            return isWordNext && Declaration.Kind(rawValue: next) == nil
        // An actor is also a word of this project: a type starts with a capital.
        case .actor: return isWordNext && next.first?.isUppercase == true
        case .func: return next != ":" && next != ")" && next != ","
        case .`init`: return isMemberScope && ["(", "?", "<", "!"].contains(next)
        case .deinit: return isMemberScope && next == "{"
        case .subscript: return isMemberScope && ["(", "<"].contains(next)
        case .var, .let: return isMemberScope || scopes.isEmpty
        case .case: return enclosing?.kind == .enum
        case .associatedtype: return enclosing?.kind == .protocol
        }
    }

    private var enclosing: Declaration? {
        guard let scope = scopes.last, let owner = scope else { return nil }
        return found[owner]
    }

    private var isMemberScope: Bool { enclosing?.kind.holdsMembers ?? false }

    private mutating func add(_ kind: Declaration.Kind, at index: Int) {
        let (modifiers, first) = modifiers(before: index)
        let isImplied =
            switch enclosing?.kind {
            case .enum: kind == .case && enclosing?.isPackage == true
            case .protocol: enclosing?.isPackage == true
            default: false
            }
        var name = text(index + 1).filter { $0 != "`" }
        if kind == .`init` || kind == .deinit || kind == .subscript { name = kind.rawValue }
        if kind == .extension {
            var next = index + 2
            while text(next) == "." {
                name += "." + text(next + 1)
                next += 2
            }
        }
        if kind.isFunction || kind.holdsMembers, let brace = bodyBrace(after: index, of: kind) {
            owners[brace] = found.count
        }
        found.append(
            Declaration(
                kind: kind,
                name: name,
                label: kind.isFunction ? firstLabel(after: index) : "",
                modifiers: modifiers,
                inherits: kind.holdsMembers ? inheritance(after: index) : [],
                parent: enclosing.map { Declaration.Parent(kind: $0.kind, name: $0.lastName) },
                firstLine: tokens[first].line,
                line: tokens[index].line,
                isPackage: modifiers.contains("package") || isImplied,
                lastLine: tokens[index].line
            )
        )
    }

    /// The words between the colon and the body of a type.
    private func inheritance(after index: Int) -> [String] {
        let header = tokens[(index + 1)...].prefix { $0.text != "{" && $0.text != "where" }
        return header.drop { $0.text != ":" }.filter(\.isWord).map(\.text)
    }

    /// The attributes and modifiers that stand before `index`, and where the first of them is.
    private func modifiers(before index: Int) -> (names: [String], first: Int) {
        var names: [String] = []
        var first = index
        while first > 0 {
            var word = first - 1
            if text(word) == ")", let open = opening(of: word) { word = open - 1 }
            guard word >= 0, tokens[word].isWord else { break }
            if text(word - 1) == "@" {
                names.append("@" + text(word))
                first = word - 1
            } else if Self.modifiers.contains(text(word)), !Self.naming.contains(text(word - 1)) {
                // The argument of `private(set)` is not the access of the declaration.
                names.append(word == first - 1 ? text(word) : text(word) + "()")
                first = word
            } else {
                break
            }
        }
        return (names.reversed(), first)
    }

    private func opening(of close: Int) -> Int? {
        var depth = 0
        for index in stride(from: close, through: 0, by: -1) {
            if text(index) == ")" { depth += 1 }
            if text(index) == "(" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    /// The brace that opens the body; nil for a requirement, which has none.
    private func bodyBrace(after index: Int, of kind: Declaration.Kind) -> Int? {
        var depth = 0
        for next in tokens.indices.dropFirst(index + 1) {
            let token = tokens[next]
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return next
            case "}" where depth == 0: return nil
            default:
                guard depth == 0, token.isWord, next > index + 1, kind.isFunction else { continue }
                if Self.modifiers.contains(token.text) { return nil }
                if let other = Declaration.Kind(rawValue: token.text), other != .actor {
                    return nil
                }
            }
        }
        return nil
    }

    private func firstLabel(after index: Int) -> String {
        for next in tokens.indices.dropFirst(index + 1).prefix(12) where text(next) == "(" {
            return text(next + 1) == ")" ? "" : text(next + 1)
        }
        return ""
    }

    /// What stands before a word that is a name here, though it is a modifier elsewhere.
    private static let naming: Set<String> = [".", "case", "let", "var", "func"]

    private static let modifiers: Set<String> = [
        "package", "public", "private", "fileprivate", "internal", "open", "static", "final",
        "nonisolated", "isolated", "mutating", "nonmutating", "borrowing", "consuming", "indirect",
        "override", "required", "convenience", "lazy", "weak", "unowned", "dynamic", "optional",
        "prefix", "postfix", "infix", "distributed",
    ]
}
