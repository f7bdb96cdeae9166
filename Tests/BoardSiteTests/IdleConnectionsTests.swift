import BoardSite
import Testing

@Suite("Connections that ask for nothing")
struct IdleConnectionsTests {
    @Test("give way to newer ones, the one that has been idle for longest first")
    func giveWay() {
        var idle = IdleConnections()
        for number in 1...Int32(IdleConnections.most) { #expect(idle.add(number) == nil) }
        idle.remove(1)
        #expect(idle.add(1) == nil)
        #expect(idle.add(1000) == 2)
        #expect(idle.add(1001) == 3)
    }
}
