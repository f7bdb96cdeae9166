/// Why a device cannot use a word list.
package enum WordListFault: Error, Hashable, Sendable {
    /// The rules were lent no list of this name.
    case notHere(String)
    /// The name means no list on any device.
    case unknown(String)
    /// Somebody on another device chose the list, which is a file here.
    case chosenElsewhere(String)
    /// The list is being read at the moment.
    case beingRead(String)
    /// The list is in the home directory of the user, and there is none.
    case noHome(String)
    /// What is there is no file.
    case notAFile(String, path: String)
    /// The file is too long.
    case tooLong(String, path: String, mebibytes: Int64)
    /// The file has no words.
    case noWords(String, path: String)
    /// The system does not open or read the file; its reason, and what to do.
    case unreadable(String, path: String, reason: String, advice: String)
    /// The fingerprint cannot be worked out.
    case noFingerprint(String, reason: String)
}

extension WordListFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notHere(let name): "there is no word list \(name.quoted) here"
        case .unknown(let name):
            "there is no word list \(name.quoted): the lists are english, british and dutch, or "
                + "any file by its whole path, from / or ~/"
        case .chosenElsewhere(let name):
            "this session uses the word list \(name), chosen on another laptop; to enter letters "
                + "here, have a copy of it at that path and say: "
                + "scorectl session option list=\(name)"
        case .beingRead(let name): "the word list \(name) is being read; try again"
        case .noHome(let name): "this laptop has no home directory for the word list \(name)"
        case .notAFile(let name, let path): "the word list \(name) is no file (\(path))"
        case .tooLong(let name, let path, let mebibytes):
            "the word list \(name) has more than \(mebibytes) MiB (\(path)); use a shorter one"
        case .noWords(let name, let path):
            "the word list \(name) has no words (\(path)): it takes one a line, in small letters"
        case .unreadable(let name, let path, let reason, let advice):
            "the word list \(name) cannot be opened: \(path): \(reason); \(advice)"
        case .noFingerprint(let name, let reason):
            "the word list \(name) cannot be used: \(reason)"
        }
    }
}
