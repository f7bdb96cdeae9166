internal import JSONCoding
internal import SessionCRDT

/// Reads an export line by line, whoever wrote it, and hands each session out when it is whole.
///
/// It trusts nothing: forms and numbers as of a peer, the limits of a session, dots within vectors,
/// counts and digests. It keeps one session at a time, which is bounded as sessions are.
package struct ExportReader: Sendable {
    /// What a line came to.
    package enum Step: Sendable {
        /// The file began.
        case begun(ExportHeader)
        /// More is needed.
        case more
        /// A session is whole.
        case session(ImportedSession)
        /// The file is whole, with so many sessions.
        case over(sessions: Int)
    }

    private enum Stage {
        case beginning
        case between
        case inside
        case over
        case failed
    }

    /// How many lines have been read.
    package private(set) var lines = 0
    private var stage = Stage.beginning
    private var session: SessionReading?
    private var seen: Set<SessionID> = []

    /// A reader before the first line.
    package init() {}

    /// Reads the next line, without its end.
    ///
    /// - Throws: what is wrong with it; then nothing more can be read.
    package mutating func read(_ line: [UInt8]) throws(ExportError) -> Step {
        lines += 1
        if case .beginning = stage {
            stage = .failed
            let header = try ExportReader.header(line)
            stage = .between
            return .begun(header)
        }
        do throws(JSONFieldError) {
            let step = try take(try ExportReader.text(line))
            session?.count(line)
            return step
        } catch {
            stage = .failed
            session = nil
            throw .damaged(line: lines, reason: error.reason)
        }
    }

    /// Makes sure that the file is whole, when there are no more lines.
    package func finish() throws(ExportError) {
        switch stage {
        case .over: return
        case .beginning: throw .foreign
        case .between, .inside, .failed: throw .cut(lines: lines)
        }
    }

    private static func header(_ line: [UInt8]) throws(ExportError) -> ExportHeader {
        guard let text = try? text(line), text.isObject else { throw .foreign }
        return try ExportHeader(text)
    }

    private static func text(_ line: [UInt8]) throws(JSONFieldError) -> JSONValue {
        guard line.count <= ExportFormat.longestLine else {
            throw JSONFieldError("longer than \(ExportFormat.longestLine) bytes")
        }
        do throws(JSONScanError) { return try JSONText(line).root } catch {
            throw JSONFieldError("\(error)")
        }
    }

    private mutating func take(_ line: JSONValue) throws(JSONFieldError) -> Step {
        switch (stage, try line.text("type", limit: 64)) {
        case (.between, "session"):
            try begin(try ExportedSession(line))
            return .more
        case (.between, "end"):
            guard try line.integer("sessions", in: 0...Limits.largestInteger) == seen.count else {
                throw JSONFieldError("the number of sessions is another one")
            }
            stage = .over
            return .over(sessions: seen.count)
        case (.inside, "entries"):
            try session?.addEntries(line)
            return .more
        case (.inside, "journal"):
            try session?.addJournal(line)
            return .more
        case (.inside, "session-end"):
            let end = try ExportEnd(line)
            guard let whole = try session?.finish(end) else {
                throw JSONFieldError("no session is open")
            }
            session = nil
            stage = .between
            return .session(whole)
        case (.over, _): throw JSONFieldError("more after the end")
        case (_, let type):
            let shown = PrintableText.cleaned(type, limit: 64)
            throw JSONFieldError("“\(shown)” does not belong here")
        }
    }

    private mutating func begin(_ facts: ExportedSession) throws(JSONFieldError) {
        guard seen.count < ExportFormat.sessions else {
            throw JSONFieldError("more than \(ExportFormat.sessions) sessions")
        }
        guard seen.insert(facts.id).inserted else {
            throw JSONFieldError("session \(facts.id) is there twice")
        }
        session = SessionReading(facts)
        stage = .inside
    }
}
