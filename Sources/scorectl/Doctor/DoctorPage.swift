/// What `doctor` prints: a line for what is well, and a paragraph for what is not.
struct DoctorPage {
    private let findings: [Finding]
    private let form: PageForm

    /// The page of findings.
    init(_ findings: [Finding], form: PageForm) {
        self.findings = findings
        self.form = form
    }

    /// The lines of the page.
    var lines: [Line] { findings.flatMap(lines) + [Line(), summary] }

    private static let margin = 2 + (CheckID.allCases.map(\.rawValue.count).max() ?? 0) + 1

    private func lines(of finding: Finding) -> [Line] {
        let head = mark(finding.state) + Line(" " + finding.id.rawValue)
        let texts = TextWidth.wrapped(finding.text, to: width)
        var lines = texts.enumerated().map { index, text in
            (index == 0 ? head : Line()).padded(to: Self.margin, .left)
                + Line(text, finding.state == .ok ? .plain : .strong)
        }
        lines += paragraph("why", finding.cause)
        lines += paragraph("do", finding.cure)
        lines += (finding.commands ?? []).map { indented("", Line($0, .strong)) }
        return lines
    }

    /// Columns for the text of a finding.
    private var width: Int { max(24, form.columns - Self.margin) }

    private func paragraph(_ title: String, _ text: String?) -> [Line] {
        guard let text else { return [] }
        return TextWidth.wrapped(text, to: width - 5).enumerated().map { index, line in
            indented(index == 0 ? title : "", Line(line))
        }
    }

    private func indented(_ title: String, _ line: Line) -> Line {
        Line().padded(to: Self.margin, .left) + Line(title, .faint).padded(to: 5, .left) + line
    }

    private func mark(_ state: Finding.State) -> Line {
        switch state {
        case .ok: Line(form.isUnicode ? "✓" : "-", .good)
        case .warning: Line("!", .warning)
        case .problem: Line(form.isUnicode ? "✗" : "x", .bad)
        }
    }

    private var summary: Line {
        let problems = findings.count { $0.state == .problem }
        let warnings = findings.count { $0.state == .warning }
        guard problems + warnings > 0 else { return Line("All is well.", .good) }
        let counts = [
            Self.count(problems, "problem"), Self.count(warnings, "warning"),
        ].compactMap(\.self)
        return Line(counts.joined(separator: ", ") + ".", problems > 0 ? .bad : .warning)
    }

    private static func count(_ number: Int, _ word: String) -> String? {
        number == 0 ? nil : number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }
}
