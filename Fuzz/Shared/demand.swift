/// Stops with the message if a law does not hold; optimized programs print it too, unlike with
/// `precondition`.
func demand(_ holds: Bool, _ message: @autoclosure () -> String = "a law does not hold") {
    if !holds { fatalError(message()) }
}
