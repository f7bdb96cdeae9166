/// A call that changes nothing: who does not hear its answer has lost nothing, and may ask again.
package protocol ReadingRequest: ControlRequest {}

extension ReadingRequest {
    package static var isReading: Bool { true }
}
