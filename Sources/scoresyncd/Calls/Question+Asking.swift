import SessionCRDT
import SyncProtocol

extension Question {
    /// A question whose token is of its words, of the session that it is about, and of the lines
    /// that say what else it depends on.
    init(asking text: String, about session: SessionID? = nil, of lines: [String] = []) {
        let all = ([text] + lines).joined(separator: "\n")
        let hash = String(SipHash.hash(Array(all.utf8)), radix: 16)
        self.init(text, token: session.map { "\($0):\(hash)" } ?? hash)
    }
}
