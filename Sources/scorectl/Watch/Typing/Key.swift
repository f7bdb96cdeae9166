/// A key of a keyboard, as a terminal tells it.
enum Key: Hashable, Sendable {
    /// A character; of a letter with accents the whole, of an emoji too.
    case character(Character)
    /// What was pasted, as one.
    case paste(String)
    /// A letter with Ctrl, in lower case.
    case control(Character)
    case enter
    case tab
    case backTab
    case escape
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case wordLeft
    case wordRight
    case home
    case end
    case pageUp
    case pageDown
}
