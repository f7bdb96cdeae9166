extension BuiltInSheet {
    /// One word, a letter a turn, and nobody wants to end it.
    static let ghost = BuiltInSheet(
        """
        {
          "id": "ghost",
          "name": "Ghost",
          "summary": "One letter a turn; whoever completes a word or spoils the beginning loses.",
          "help": "Add a letter at the end: play d. It goes to whoever's turn it is.",
          "players": {"from": 2, "to": 20},
          "engine": "ghost",
          "rows": [
            {"id": "letter", "label": "Letter", "kind": "moves", "scores": false,
             "help": "The beginning with the new letter, and what the word list said of it."}
          ],
          "options": [
            {"name": "language", "kind": "choice", "choices": ["english", "british", "dutch"],
             "default": "english", "help": "The word list that judges."},
            {"name": "list", "kind": "text",
             "help": "A word list of your own instead: the path of a file, from / or ~/."},
            {"name": "minimum", "kind": "integer", "range": {"from": 3, "to": 20}, "default": 4,
             "help": "How many letters a word has at least that counts."},
            {"name": "variant", "kind": "choice", "choices": ["simple", "table"],
             "default": "simple",
             "help": "Who is out: simple: who lost a round; table: who lost five."},
            {"name": "words", "kind": "text",
             "help": "The word list in use and its SHA-256; the first letter records them."},
            {"name": "circle", "kind": "text",
             "help": "Who plays, around the table; the first letter records it."},
            {"name": "terms", "kind": "text",
             "help": "The minimum and the variant in force; the first letter records them."}
          ]
        }
        """
    )
}
