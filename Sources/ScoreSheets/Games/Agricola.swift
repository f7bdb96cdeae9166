extension BuiltInSheet {
    /// Agricola, Lookout Games 2007, revised 2016: the table on the back of its rules.
    static let agricola = BuiltInSheet(
        """
        {
          "id": "agricola",
          "name": "Agricola",
          "summary": "Fields, animals, rooms and people; too little of a thing costs a point.",
          "help": "Enter counts, the points follow: score Ann fields=4 sheep=8. What is not \
        entered counts as none, which costs a point where the rules say so.",
          "players": {"from": 1, "to": 5},
          "rows": [
            \(count("fields", "Fields", "-1, -1, 1, 2, 3, 4", "Field tiles.")),
            \(count("pastures", "Pastures", "-1, 1, 2, 3, 4", "Fenced pastures.")),
            \(count("grain", "Grain", "-1, 1, 1, 1, 2, 2, 3, 3, 4", "On fields and in supply.")),
            \(count("vegetables", "Vegetables", "-1, 1, 2, 3, 4", "On fields and in supply.")),
            \(count("sheep", "Sheep", "-1, 1, 1, 1, 2, 2, 3, 3, 4", "Sheep.")),
            \(count("boar", "Wild boar", "-1, 1, 1, 2, 2, 3, 3, 4", "Wild boar.")),
            \(count("cattle", "Cattle", "-1, 1, 2, 2, 3, 3, 4", "Cattle.")),
            {"id": "unused", "label": "Unused spaces", "kind": "number", "factor": -1,
             "range": {"from": 0, "to": 15}, "help": "Empty spaces of the farmyard, −1 each."},
            {"id": "stables", "label": "Fenced stables", "kind": "number",
             "range": {"from": 0, "to": 4}, "help": "Stables inside fences, 1 each."},
            {"id": "rooms", "label": "Rooms", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 15}, "help": "Rooms of the house."},
            {"id": "material", "label": "House of", "kind": "choice", "scores": false,
             "choices": [{"word": "wood", "points": 0}, {"word": "clay", "points": 1},
                         {"word": "stone", "points": 2}],
             "help": "What all the rooms are made of: a clay room is worth 1, a stone room 2."},
            {"id": "house", "label": "House", "kind": "product", "of": ["rooms", "material"],
             "help": "The rooms at the value of their material."},
            {"id": "people", "label": "Family", "kind": "number", "factor": 3,
             "range": {"from": 2, "to": 5}, "help": "Family members, 3 each."},
            {"id": "cards", "label": "Cards", "kind": "number",
             "help": "The points printed on cards, as 1+2."},
            {"id": "bonus", "label": "Bonus points", "kind": "number",
             "help": "What cards give at the end, beside the crafts below."},
            {"id": "joinery", "label": "Joinery", "kind": "number",
             "range": {"from": 0, "to": 1000}, "table": [0, 0, 0, 1, 1, 2, 2, 3],
             "help": "Wood left, for the owner of the joinery: 3, 5, 7 for 1, 2, 3."},
            {"id": "pottery", "label": "Pottery", "kind": "number",
             "range": {"from": 0, "to": 1000}, "table": [0, 0, 0, 1, 1, 2, 2, 3],
             "help": "Clay left, for the owner of the pottery: 3, 5, 7 for 1, 2, 3."},
            {"id": "basketmaker", "label": "Basketmaker", "kind": "number",
             "range": {"from": 0, "to": 1000}, "table": [0, 0, 1, 1, 2, 3],
             "help": "Reed left, for the owner of the basketmaker: 2, 4, 5 for 1, 2, 3."},
            {"id": "begging", "label": "Begging", "kind": "number", "factor": -3,
             "range": {"from": 0, "to": 1000}, "help": "Begging markers, −3 each."},
            {"id": "resources", "label": "Resources left", "kind": "number", "scores": false,
             "range": {"from": 0, "to": 1000},
             "help": "Wood, clay, reed and stone left, as 3+2+0+1; they only break ties."}
          ],
          "tieBreakers": [{"row": "resources"}]
        }
        """
    )

    private static func count(
        _ id: String,
        _ label: String,
        _ table: String,
        _ help: String
    ) -> String {
        """
        {"id": "\(id)", "label": "\(label)", "kind": "number", "empty": 0,
         "range": {"from": 0, "to": 1000}, "table": [\(table)], "help": "\(help)"}
        """
    }
}
