/// A page of the live view, in parts: what scrolls, and what stays above and below it.
struct PageContent: Hashable, Sendable {
    /// What stays above.
    var head: [Line] = []
    /// What scrolls where it does not fit.
    var body: [Line]
    /// What stays below.
    var foot: [Line] = []
    /// The line of the body that is in sight where nobody has scrolled, with the one below it; nil
    /// of none.
    var focus: Int?
    /// How far it is scrolled sideways, in steps of its own.
    var across = 0
    /// How far it can be.
    var mostAcross = 0

    /// What is shown of it in so many rows and columns.
    struct Window: Hashable, Sendable {
        /// The lines, as many as there are rows.
        let lines: [Line]
        /// The first line of the body that is shown.
        let top: Int
        /// How many lines of the body are above and below.
        let above: Int
        let below: Int
        /// How many lines of the body have room.
        let rows: Int
    }

    /// What is shown in so many rows, from a line of the body on; nil where nobody has scrolled.
    func window(rows: Int, columns: Int, from wanted: Int?) -> Window {
        var (head, body, foot) = (head, body, foot)
        // Where hardly anything of the body would be seen, all scrolls.
        if rows - head.count - foot.count < min(body.count, 3) {
            (head, body, foot) = ([], head + body + foot, [])
        }
        let room = max(0, rows - head.count - foot.count)
        let latest = max(0, body.count - room)
        let usual = focus.map { $0 + 2 - room } ?? 0
        let top = min(max(0, wanted ?? usual), latest)
        let shown = body.dropFirst(top).prefix(room)
        let all = (head + shown + foot).prefix(max(0, rows)).map { $0.cropped(to: columns) }
        let blank = [Line](repeating: Line(), count: max(0, rows - all.count))
        return Window(
            lines: all + blank,
            top: top,
            above: top,
            below: max(0, body.count - top - shown.count),
            rows: room
        )
    }
}
