extension SessionStore {
    /// The people of this device, in the order in which they were kept.
    package func people() throws(StoreError) -> [Person] {
        connection.action = "read the people"
        return try connection.all("SELECT name, selected FROM person ORDER BY place") {
            row throws(StoreError) in
            Person(try row.text(0), isSelected: try row.integer(1) != 0)
        }
    }

    /// Changes the people of this device and keeps their order.
    ///
    /// - Returns: the people after the change.
    package func changePeople(
        _ change: (inout [Person]) -> Void
    ) throws(StoreError) -> [Person] {
        try transaction(to: "change the people") { () throws(StoreError) in
            let before = try people()
            var people = before
            change(&people)
            guard people != before else { return people }
            try connection.run("DELETE FROM person")
            for (place, person) in people.enumerated() {
                try connection.run(
                    "INSERT INTO person (place, name, selected) VALUES (?, ?, ?)",
                    [.integer(Int64(place)), .text(person.name), person.isSelected ? 1 : 0]
                )
            }
            return people
        }
    }
}
