/// A declaration found in Swift source, as far as the rules need to know it.
struct Declaration: Hashable {
    /// The word that introduces it.
    enum Kind: String {
        case `struct`
        case `class`
        case `enum`
        case actor
        case `protocol`
        case `extension`
        case `typealias`
        case `func`
        case `init`
        case `deinit`
        case `subscript`
        case `var`
        case `let`
        case `case`
        case `associatedtype`

        /// Whether it declares a type.
        var isType: Bool {
            switch self {
            case .struct, .class, .enum, .actor, .protocol, .typealias: true
            case .extension, .func, .`init`, .deinit, .subscript, .var, .let, .case,
                .associatedtype:
                false
            }
        }

        /// Whether it has a body of statements.
        var isFunction: Bool {
            switch self {
            case .func, .`init`, .deinit, .subscript: true
            case .struct, .class, .enum, .actor, .protocol, .typealias, .extension, .var, .let,
                .case, .associatedtype:
                false
            }
        }

        /// Whether its braces hold members.
        var holdsMembers: Bool { self == .extension || isType && self != .typealias }
    }

    /// What a member belongs to.
    struct Parent: Hashable {
        let kind: Kind
        let name: String
    }

    let kind: Kind
    /// Its name, with dots for an extension.
    let name: String
    /// The first argument label of a function, empty when it has none.
    let label: String
    /// Attributes (with `@`) and modifiers, without their arguments.
    let modifiers: [String]
    /// The protocols and classes that a type or an extension names.
    let inherits: [String]
    /// The type or extension that it is a member of.
    let parent: Parent?
    /// The line of its first attribute or modifier.
    let firstLine: Int
    /// The line of the introducing word.
    let line: Int
    /// Whether `package` is written before it, or before the enum or protocol that it is a case or
    /// a requirement of.
    let isPackage: Bool
    /// The line of the brace that ends it, or of the introducing word when it has no body.
    var lastLine: Int

    /// Its name without the types around it.
    var lastName: String { name.split(separator: ".").last.map(String.init) ?? name }
}
