/// The links of a Markdown page that lead to files of this repository.
enum MarkdownLinks {
    /// The targets of inline links, images and reference definitions, outside of code, without
    /// anchors, and the line of each.
    static func targets(in text: String) -> [(path: String, line: Int)] {
        var found: [(path: String, line: Int)] = []
        var isCode = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let start = line.drop { $0 == " " }
            if start.hasPrefix("```") || start.hasPrefix("~~~") { isCode.toggle() }
            guard !isCode else { continue }
            let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset % 2 == 0 ? $0.element : "" }.joined(separator: "`")
            var links = prose.ranges(of: "](").map { prose[$0.upperBound...].prefix { $0 != ")" } }
            if start.hasPrefix("["), let mark = prose.firstRange(of: "]: ") {
                links.append(prose[mark.upperBound...])
            }
            for link in links {
                guard let path = path(of: link) else { continue }
                found.append((path, index + 1))
            }
        }
        return found
    }

    /// The path that a link names, or nil when it leads elsewhere or only to an anchor.
    private static func path(of link: Substring) -> String? {
        let target = link.split(separator: " ").first ?? ""
        guard !target.contains("://"), !target.hasPrefix("mailto:"), !target.hasPrefix("#") else {
            return nil
        }
        let path = target.prefix { $0 != "#" }.filter { $0 != "<" && $0 != ">" }
        return path.isEmpty ? nil : path.replacing("%20", with: " ")
    }

    /// The links of the page at `page` that lead to nothing.
    static func violations(
        in text: String,
        of page: String,
        exists: (String) -> Bool
    ) -> [Violation] {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        return targets(in: text).compactMap { path, line in
            guard !exists(folder.isEmpty ? path : "\(folder)/\(path)") else { return nil }
            return Violation(file: page, line: line, message: "\(path) does not exist")
        }
    }
}
