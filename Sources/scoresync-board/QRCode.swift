import CQRencode
import TerminalText

/// A QR code, made by libqrencode.
struct QRCode: Hashable, Sendable {
    /// The modules by row from the top; true is dark.
    private let rows: [[Bool]]

    /// Encodes a text; nil if it is too long.
    init?(_ text: String) {
        guard let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
            return nil
        }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        guard let data = unsafe code.pointee.data else { return nil }
        rows = (0..<width).map { row in
            (0..<width).map { column in unsafe data[row * width + column] & 1 == 1 }
        }
    }

    /// The code as SVG, dark on light.
    var svg: String {
        let margin = QRCode.margin
        let width = rows.count + 2 * margin
        let dark = rows.enumerated().flatMap { row, modules in
            modules.indices.filter { modules[$0] }
                .map { "M\($0 + margin) \(row + margin)h1v1h-1z" }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(width)\" "
            + "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h\(width)v\(width)H0z\"/>"
            + "<path d=\"\(dark.joined())\"/></svg>"
    }

    /// The light margin in modules (ISO/IEC 18004, "quiet zone").
    static let margin = 4

    /// Returns the columns that the code needs at least, with the narrowest margin.
    func columns(on screen: Screen) -> Int { (rows.count + 2) * (screen.hasBlocks ? 1 : 2) }

    /// Returns the code as lines for a terminal, with their own colours; empty if it is too wide.
    ///
    /// With block characters, two rows share a line. The margin shrinks to fit: readers tolerate a
    /// narrow one, but no wrapped line.
    func lines(on screen: Screen) -> [String] {
        let room = screen.columns / (screen.hasBlocks ? 1 : 2) - rows.count
        guard room >= 2 else { return [] }
        let margin = min(QRCode.margin, room / 2)
        let width = rows.count + 2 * margin
        func isDark(_ row: Int, _ column: Int) -> Bool {
            rows.indices.contains(row - margin) && rows.indices.contains(column - margin)
                && rows[row - margin][column - margin]
        }
        return stride(from: 0, to: width, by: screen.hasBlocks ? 2 : 1).map { row in
            let line = (0..<width).map { column in
                guard screen.hasBlocks else {
                    return isDark(row, column) ? "\u{1B}[40m  " : "\u{1B}[107m  "
                }
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): return "█"
                case (true, false): return "▀"
                case (false, true): return "▄"
                case (false, false): return " "
                }
            }
            let colours = screen.hasBlocks ? "\u{1B}[30;107m" : ""
            return colours + line.joined() + "\u{1B}[0m"
        }
    }
}

/// The terminal on standard output.
struct Screen: Hashable, Sendable {
    var columns: Int
    /// Whether the terminal shows block characters.
    var hasBlocks: Bool

    /// Returns the current terminal; nil if standard output is a file, a pipe, or a terminal that can
    /// only print.
    static func current() -> Screen? {
        let terminal = Terminal.ofThisProcess
        guard terminal.isOutput else { return nil }
        return Screen(columns: terminal.columns(usual: 80), hasBlocks: terminal.isUnicode)
    }
}
