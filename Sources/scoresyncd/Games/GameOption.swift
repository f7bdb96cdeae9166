import ScoreSheets
import SessionCRDT

/// An option of a game with the value that somebody chose; null is the usual one.
typealias GameOption = (name: Symbol, value: Value)
