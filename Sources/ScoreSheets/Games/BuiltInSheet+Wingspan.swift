extension BuiltInSheet {
    /// Wingspan, Stonemaier Games 2019, with its expansions Oceania (2020), Asia (2022) and
    /// Americas (2026).
    static let wingspan = BuiltInSheet(
        """
        {
          "id": "wingspan",
          "name": "Wingspan",
          "summary": "Birds, eggs and goals; with what Oceania, Asia and Americas add.",
          "help": "Enter what each player has at the end: score Ann birds=12+7+9 eggs=8. With the \
        option goals=green or goals=blue enter counts instead of the points of the goals.",
          "players": {"from": 1, "to": 5},
          "seats": [{"when": {"option": "duet"}, "from": 1, "to": 2},
                    {"when": {"option": "asia"}, "from": 1, "to": 7}],
          "rows": [
            {"id": "birds", "label": "Bird cards", "kind": "number", "aliases": ["b"],
             "range": {"from": 0, "to": 500}, "help": "The points on the birds played."},
            {"id": "bonus", "label": "Bonus cards", "kind": "number",
             "range": {"from": 0, "to": 200}, "help": "The points of the bonus cards."},
            {"id": "goals", "label": "Round goals", "kind": "number",
             "range": {"from": 0, "to": 100}, "when": {"option": "goals", "is": ["typed"]},
             "help": "The points of the four end-of-round goals together, as 4+2+6+0."},
            \(goal(1, "4, 1")),
            \(goal(2, "5, 2")),
            \(goal(3, "6, 3")),
            \(goal(4, "7, 4")),
            {"id": "goal", "label": "Goal", "kind": "rounds", "last": 4,
             "range": {"from": 0, "to": 100}, "table": [0, 1, 2, 3, 4, 5],
             "when": {"option": "goals", "is": ["blue"]},
             "help": "How many of the goal's thing, by round: goal.1=4; 1 each, at most 5."},
            {"id": "eggs", "label": "Eggs", "kind": "number", "aliases": ["e"],
             "range": {"from": 0, "to": 200}, "help": "Eggs on birds, 1 each."},
            {"id": "food", "label": "Food on cards", "kind": "number", "aliases": ["cached"],
             "range": {"from": 0, "to": 200}, "help": "Food cached on birds, 1 each."},
            {"id": "tucked", "label": "Tucked cards", "kind": "number",
             "range": {"from": 0, "to": 200}, "help": "Cards tucked under birds, 1 each."},
            \(nectar("forest")),
            \(nectar("grassland")),
            \(nectar("wetland")),
            {"id": "duet", "label": "Duet tokens", "kind": "number",
             "range": {"from": 0, "to": 15}, "when": {"option": "duet"},
             "help": "The tokens of the largest group on the Duet map, 1 each."},
            {"id": "hummingbirds", "label": "Hummingbirds", "kind": "number",
             "range": {"from": 0, "to": 200}, "when": {"option": "americas"},
             "help": "The points of the five markers on the hummingbird track, as 3+2+1+0+0."},
            {"id": "unused", "label": "Unused food", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 200}, "help": "Food left over; it only breaks ties."}
          ],
          "options": [
            {"name": "oceania", "kind": "boolean", "default": false,
             "help": "Oceania: nectar spent in each habitat, most 5, second 2."},
            {"name": "asia", "kind": "boolean", "default": false, "help": "Asia: up to 7 players."},
            {"name": "duet", "kind": "boolean", "default": false,
             "help": "The Duet mode of Asia, for two: the largest group on the Duet map."},
            {"name": "americas", "kind": "boolean", "default": false,
             "help": "Americas: the points of the hummingbird track."},
            {"name": "goals", "kind": "choice", "choices": ["typed", "green", "blue"],
             "default": "typed",
             "help": "How goals are entered: their points, or counts for the green or blue side."},
            \(third(1, 0)),
            \(third(2, 1)),
            \(third(3, 2)),
            \(third(4, 3))
          ],
          "tieBreakers": [{"row": "unused"}]
        }
        """
    )

    private static func goal(_ round: Int, _ places: String) -> String {
        """
        {"id": "goal\(round)", "label": "Goal \(round)", "kind": "number",
         "range": {"from": 0, "to": 100}, "places": [\(places), {"option": "third\(round)"}],
         "when": {"option": "goals", "is": ["green"]},
         "help": "How many of the thing of round \(round); the most of it scores most."}
        """
    }

    private static func nectar(_ habitat: String) -> String {
        """
        {"id": "\(habitat)", "label": "Nectar \(habitat)", "kind": "number",
         "range": {"from": 0, "to": 100}, "places": [5, 2], "when": {"option": "oceania"},
         "help": "Nectar spent in the \(habitat)."}
        """
    }

    /// Sources differ about the third places.
    private static func third(_ round: Int, _ points: Int) -> String {
        """
        {"name": "third\(round)", "kind": "integer", "range": {"from": 0, "to": 20},
         "default": \(points), "help": "Green goals: the points of the third in round \(round)."}
        """
    }
}
