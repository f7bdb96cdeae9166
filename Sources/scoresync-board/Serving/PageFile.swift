/// A file of the pages, as it was when this program was built.
struct PageFile: Sendable {
    /// Its name in the address.
    let name: String
    /// What it is.
    let type: String
    /// The file.
    let bytes: [UInt8]

    /// All that the pages consist of.
    static let all = [
        PageFile(name: "index.html", type: html, bytes: PackageResources.index_html),
        PageFile(name: "phone.html", type: html, bytes: PackageResources.phone_html),
        PageFile(name: "page.css", type: css, bytes: PackageResources.page_css),
        PageFile(name: "board.css", type: css, bytes: PackageResources.board_css),
        PageFile(name: "phone.css", type: css, bytes: PackageResources.phone_css),
        PageFile(name: "board.js", type: script, bytes: PackageResources.board_js),
        PageFile(name: "phone.js", type: script, bytes: PackageResources.phone_js),
        PageFile(name: "page.js", type: script, bytes: PackageResources.page_js),
        PageFile(name: "sheet.js", type: script, bytes: PackageResources.sheet_js),
        PageFile(name: "drawing.js", type: script, bytes: PackageResources.drawing_js),
        PageFile(name: "panels.js", type: script, bytes: PackageResources.panels_js),
        PageFile(name: "pad.js", type: script, bytes: PackageResources.pad_js),
        PageFile(name: "moves.js", type: script, bytes: PackageResources.moves_js),
        PageFile(name: "outbox.js", type: script, bytes: PackageResources.outbox_js),
        PageFile(name: "icon.svg", type: picture, bytes: PackageResources.icon_svg),
    ]

    /// The type of a picture that is drawn.
    static let picture = "image/svg+xml"
    private static let html = "text/html; charset=utf-8"
    private static let css = "text/css; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
}
