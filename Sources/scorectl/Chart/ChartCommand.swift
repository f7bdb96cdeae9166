import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl chart`: how everybody came to stand as they do.
enum ChartCommand {
    static var command: Command {
        Command(
            name: "chart",
            summary: "the totals over the rounds, or over time, as lines",
            words: "[SESSION]",
            count: 0...1,
            details: [
                "Games that go by no rounds are drawn by when their scores were written. Darts are"
                    + " drawn by the points of all visits. A corrected score counts from its place"
                    + " on as it is now, so the chart is the same on every laptop.",
                "With --svg it is written as a picture that stands alone, light or dark as its"
                    + " reader is; '-' is standard output.",
            ],
            options: [
                CommandOption(name: "svg", value: "FILE", summary: "write a picture instead")
            ],
            examples: [("chart --svg friday.svg", "a picture to send to the others")],
            takesSession: true,
            action: .run(run)
        )
    }

    /// The most rows that a chart takes on a terminal or in a file.
    private static let mostRows = 24

    private static func run(_ call: Invocation) throws(ControlError) {
        let path = call.value("svg")
        guard path != "" else { throw ControlError(.usage, "--svg takes the name of a file") }
        guard path != "-" || !call.isJSON else {
            throw ControlError(.usage, "with '--svg -' there is only the picture: no --json")
        }
        let reply = try call.call(ChartRequest(session: try call.namedSession()))
        if let path { return try write(reply, to: path, call) }
        let rows = isScreen(call) ? min(call.console.size().rows - 2, mostRows) : mostRows
        try call.print(reply, lines(reply, call, call.form, rows: rows))
    }

    private static func isScreen(_ call: Invocation) -> Bool { call.console.isOutputTerminal }

    /// The chart in lines, in so many rows.
    static func lines(
        _ reply: ChartReply,
        _ call: Invocation,
        _ form: PageForm,
        rows: Int
    ) -> [Line] {
        TextChart(reply, form, rows: rows, timeOfDay: call.console.timeOfDay).lines
    }

    private static func write(
        _ reply: ChartReply,
        to path: String,
        _ call: Invocation
    ) throws(ControlError) {
        let bytes = Array(SVGChart(reply, timeOfDay: call.console.timeOfDay).text.utf8)
        guard path != "-" else { return call.console.write(bytes) }
        let result = platform_write_file(path, bytes, bytes.count)
        guard result >= 0 else {
            throw ControlSocketError.system("write \(path)", code: -result).controlError
        }
        try call.report(reply, [Line("Wrote \(path).")])
    }
}
