extension Sheet {
    /// How much a sheet can have of everything, since strangers write sheets that travel.
    package enum Limits {
        /// Rows.
        package static let rows = 100
        /// Options.
        package static let options = 60
        /// How long each list of a sheet can be, by its field.
        static let lists: KeyValuePairs<AnyField, Int> = [
            "rows": rows, "options": options, "tieBreakers": tieBreakers, "seats": seats,
            "sets": sets,
        ]
        /// Other names of one row.
        package static let aliases = 8
        /// Values of a lookup, and places of a ranking.
        package static let table = 200
        /// Values of tokens.
        package static let tokens = 20
        /// Words of a choice.
        package static let choices = 100
        /// Usual orders of some words.
        package static let presets = 50
        /// Rows that one row is worked out from.
        package static let sources = 20
        /// Rows that all rows together are worked out from.
        package static let allSources = 200
        /// Fields of a round.
        package static let fields = 10
        /// What has to hold of a round.
        package static let checks = 5
        /// Tie-breakers.
        package static let tieBreakers = 10
        /// Rules of how many players there are once something is set.
        package static let seats = 10
        /// A name or a label, in Unicode scalars, like a schema's `maxLength`: what one character
        /// is depends on the Unicode tables of a build, and a sheet must be one everywhere.
        package static let label = 60
        /// A help text, in Unicode scalars.
        package static let help = 4000
    }
}
