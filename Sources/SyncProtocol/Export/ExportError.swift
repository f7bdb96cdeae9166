/// Why a file cannot be imported; nothing of it was taken then.
package enum ExportError: Error, Hashable, Sendable {
    /// The first line is not that of an export.
    case foreign
    /// A later version of the program wrote it.
    case newer(version: Int64, program: String)
    /// It ends before its last line; so many lines are whole.
    case cut(lines: Int)
    /// A line says something that no export says.
    case damaged(line: Int, reason: String)
}

extension ExportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .foreign:
            "it is no export of ScoreSync; what 'scorectl export' writes can be imported, but not "
                + "what it writes with --format csv or bgstats"
        case .newer(let version, let program):
            "it was written by a later ScoreSync (\(program), form \(version)); update this one"
        case .cut(let lines):
            "it ends in the middle, after line \(lines): the rest of the file is missing"
        case .damaged(let line, let reason): "it is damaged: line \(line): \(reason)"
        }
    }
}
