import ControlSocket
import SyncProtocol

/// `scorectl __man PAGE`: the man pages, of which `scorectl` makes its own from its commands, and
/// the others from what it is given to read: what a program says of itself by `--help`, and how a
/// sheet is written.
enum ManualPage {
    /// Who points to whom.
    private static let related = [
        ("scorectl", 1), ("scoresyncd", 1), ("scoresync-board", 1), ("scoresync-sheet", 5),
    ]

    /// The lines of a page; nil where there is no such page.
    static func lines(_ words: [String], _ console: Console) -> [String]? {
        guard words.count == 1, let (name, section) = related.first(where: { $0.0 == words[0] })
        else { return nil }
        let given = console.variable("SOURCE_DATE_EPOCH").flatMap { UInt64($0) }
        let time = given.map { $0 * 1000 } ?? UInt64(clamping: console.now())
        var page = Roff(
            name,
            section: section,
            date: String(Timestamp(milliseconds: time).description.prefix(10)),
            source: "ScoreSync \(Versions.program)"
        )
        switch name {
        case "scorectl": CommandManual(CommandTree.commands).write(to: &page)
        case "scoresync-sheet": MarkdownManual(rest(console)).write(to: &page)
        default: ProgramManual(rest(console)).write(to: &page)
        }
        page.section("See also")
        let others = related.filter { $0.0 != name }
        let list = others.map { "\(Roff.bold($0.0))(\($0.1))" }.joined(separator: ", ")
        page.append(list)
        return page.lines
    }

    private static func rest(_ console: Console) -> [String] {
        var lines: [String] = []
        while let line = console.readLine() { lines.append(line) }
        return lines
    }
}
