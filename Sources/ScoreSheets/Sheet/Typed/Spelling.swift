/// What a word is likely to mean that is no known name.
package enum Spelling {
    /// The names that begin with a word, else the nearest that are a typing error or two away.
    package static func near(_ word: String, among names: [String]) -> [String] {
        let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
        if !begun.isEmpty { return begun }
        let measured = names.map { ($0, distance(word, $0)) }
        let limit = max(1, min(2, word.count / 2))
        let best = measured.map(\.1).min() ?? 0
        return best <= limit ? measured.filter { $0.1 == best }.map(\.0) : []
    }

    /// How many letters must be changed, added, left out or swapped with their neighbour (optimal
    /// string alignment).
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var before: [Int] = []
        var row = Array(0...right.count)
        for i in left.indices {
            var next = [i + 1]
            for j in right.indices {
                let change = row[j] + (left[i] == right[j] ? 0 : 1)
                var best = min(change, row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, before[j - 1] + 1)
                }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}

extension String {
    /// The question whether another name was meant; empty where none is near.
    func suggestion(among names: [String]) -> String {
        // Strangers write long names, and nobody means these.
        guard utf8.count <= 64 else { return "" }
        let near = Spelling.near(self, among: names).prefix(2)
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }
}
