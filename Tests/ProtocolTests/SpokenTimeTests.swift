import SyncProtocol
import Testing

struct SpokenTimeTests {
    @Test(
        "A duration is in the unit that people would use",
        arguments: [
            (0, "0 s"), (90_400, "90 s"), (119_499, "119 s"), (120_000, "2 min"),
            (7_199_000, "120 min"), (7_200_000, "2 h"), (129_600_000, "36 h"),
            (172_800_000, "2 days"), (-864_000_000, "10 days"), (7_889_238_000, "3 months"),
            (315_359_999_000, "10 years"), (.max, "292277025 years"), (.min, "292277025 years"),
        ] as [(Int64, String)]
    )
    func words(_ milliseconds: Int64, _ text: String) {
        #expect(SpokenTime.text(milliseconds) == text)
    }
}
