/// What a point came to.
struct SportResult: Hashable {
    /// Who won it.
    let side: SportSide
    /// How many points of it counted.
    let points: Int
}
