/// What is written in a place of a sheet, as an example for who wrote something else there.
struct SheetExample {
    /// Several fields: `{"from": 1, "to": 48}`.
    let object: String
    /// A list: `[{"row": "coins"}]`.
    let list: String

    /// The example for the place of a path: `rows[2].range`.
    init(at path: String) {
        let steps = path.split(separator: ".").map { $0.prefix { $0 != "[" } }
        let field = steps.last.map(String.init) ?? ""
        let isOfOption = steps.first == "options" && field == "choices"
        let known = isOfOption ? nil : SheetExample.objects[field]
        object = known ?? "{…}"
        list = "[\(known ?? SheetExample.elements[field] ?? "…")]"
    }

    /// The fields that are objects, or lists of them.
    private static let objects = [
        "players": #"{"from": 2, "to": 6}"#,
        "range": #"{"from": 1, "to": 48}"#,
        "when": #"{"option": "x"}"#,
        "seats": #"{"when": {"option": "x"}, "to": 8}"#,
        "rows": #"{"id": "coins", "label": "Coins", "kind": "number"}"#,
        "options": #"{"name": "x", "kind": "boolean", "default": false}"#,
        "tieBreakers": #"{"row": "coins"}"#,
        "fields": #"{"id": "coins", "label": "Coins"}"#,
        "checks": #"{"formula": "total(tricks) = round"}"#,
        "steps": #"{"from": 63, "points": 35}"#,
        "choices": #"{"word": "wood", "points": 1}"#,
    ]

    /// The elements of lists that are no objects.
    private static let elements = [
        "of": #""coins""#, "is": #""red""#, "aliases": #""c""#, "choices": #""red", "blue""#,
        "words": #""red", "blue""#, "presets": #"["red", "blue"]"#, "table": "0, 1, 3",
        "places": "5, 2", "tokens": "1, 3, 5", "values": "10, 6",
    ]
}
