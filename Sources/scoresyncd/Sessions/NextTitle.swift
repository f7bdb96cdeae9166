/// The title of the next game of the same people: it counts on.
enum NextTitle {
    /// The highest number that counts as one: a larger one belongs to the title.
    private static let most = 999

    /// `Friday` is followed by `Friday 2`, and that by `Friday 3`; titles that are taken are passed
    /// over.
    static func after(_ title: String, besides taken: Set<String> = []) -> String {
        let words = title.split(separator: " ", omittingEmptySubsequences: false)
        let last = words.last.flatMap { word in
            word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(word) : nil
        }
        var name = title
        var number = 2
        if words.count > 1, let last, (1..<most).contains(last) {
            name = words.dropLast().joined(separator: " ")
            number = last + 1
        }
        // Room for the number within the 200 bytes of a title.
        while name.utf8.count > 190 { name.removeLast() }
        while taken.contains("\(name) \(number)") { number += 1 }
        return "\(name) \(number)"
    }
}
