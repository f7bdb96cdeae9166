private import CResources

/// A file of the pages, embedded in this program.
struct PageFile: Sendable {
    /// The name in the URL.
    let name: String
    /// The media type.
    let type: String
    let bytes: [UInt8]

    static let all = (0..<resource_page_count()).map { index in
        let file = unsafe resource_page(index)
        let name = unsafe String(cString: file.name)
        let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        return PageFile(name: name, type: type(of: name), bytes: bytes)
    }

    static let names = Set(all.map(\.name))

    /// The media type of SVG.
    static let picture = "image/svg+xml"

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        default: picture
        }
    }
}
