/// A word as it must be typed in a shell.
enum ShellWord {
    /// The word, in quotes where a shell would take it apart.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.,:=/+@%".unicodeScalars.contains(scalar)
            }
        if isPlain { return word }
        var quoted = "'"
        for character in word.unicodeScalars {
            if character == "'" {
                quoted += #"'\''"#
            } else {
                quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "'"
    }
}
