/// Asks what the daemon knows of why laptops may not see each other, or scores may not be kept.
///
/// The daemon broadcasts one announcement without a session, which concerns nobody, and sees
/// whether it comes back; and it writes one setting once more as it is. It answers within a second.
package struct DiagnosisRequest: ControlRequest, Hashable {
    package typealias Reply = Diagnosis
    package static let method = "diagnosis"

    package init() {}
}
