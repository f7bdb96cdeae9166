/// Which session a watcher shows in the course of an evening: it goes on to the next game when one
/// comes.
///
/// A next game that was there when the watcher began is passed over: who asks for a game that is
/// over wants to see that one.
package struct Evening: Hashable, Sendable {
    /// The session that is shown.
    private var session: String?
    /// The next game that was there from the beginning, or that was asked for already.
    private var passedOver: String?

    /// An evening of which nothing has been seen.
    package init() {}

    /// Takes in what is shown.
    ///
    /// - Returns: the id of the session to watch in its place, once; nil to stay.
    package mutating func next(after show: ShowReply) -> String? {
        let (shown, next) = (show.document.session.id, show.context.next?.id)
        if session == nil { passedOver = next }
        if session != nil, session != shown { passedOver = nil }
        session = shown
        guard let next, next != passedOver else { return nil }
        passedOver = next
        return next
    }
}
