import ScoreSheets

/// An arbitrary word list: it contains its plain words and their prefixes, and nothing twice.
func fuzzWordFiles(_ input: [UInt8]) {
    let list = WordList(name: "list", fingerprint: "f", file: input)
    let plain = Set(
        input.split(separator: UInt8(ascii: "\n")).filter { line in
            line.count <= 100 && line.allSatisfy { (97...122).contains($0) }
        }.map { String(decoding: $0, as: UTF8.self) }
    )
    demand(list.count >= plain.count, "a word is missing")
    for word in plain {
        demand(list.contains(word), "a word is missing")
        demand(
            list.hasWord(beginning: word, ofAtLeast: Int64(word.utf8.count)),
            "a beginning is missing"
        )
        demand(
            list.hasWord(beginning: String(word.prefix(1)), ofAtLeast: 1),
            "a beginning is missing"
        )
    }
    demand(list.hasWord(beginning: "", ofAtLeast: 0) == (list.count > 0))
    let text = String(decoding: input.prefix(120), as: UTF8.self)
    if list.contains(text) {
        demand(list.hasWord(beginning: text, ofAtLeast: 0), "no way to a word")
    }
}
