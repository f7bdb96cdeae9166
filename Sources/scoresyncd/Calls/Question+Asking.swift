import SessionCRDT
import SyncProtocol

extension Question {
    /// A question whose token is of its words, and of the lines that say what else it depends on.
    init(asking text: String, of lines: [String] = []) {
        let all = ([text] + lines).joined(separator: "\n")
        self.init(text, token: String(SipHash.hash(Array(all.utf8)), radix: 16))
    }
}
