extension Entry {
    /// Whether this entry wins over `other` where only one can be shown: the greater stamp, then
    /// the greater actor.
    package func wins(over other: Entry) -> Bool {
        (stamp, dot) > (other.stamp, other.dot)
    }
}
