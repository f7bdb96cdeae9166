import PeerTransport
import SyncEngine
import SyncProtocol

/// How peers reach this device and find it.
extension Daemon {
    /// Listens and announces; what fails is told, and tried again at each glance.
    func openNetwork() {
        if listener == nil { listenToPeers() }
        if options.isDiscovering, beacon == nil { announce() }
    }

    private func listenToPeers() {
        let ports = options.port.map { $0...$0 } ?? Ports.listening
        do throws(SystemError) {
            let opened = try PeerListener(on: queue, ports: ports, delegate: admission)
            listener = opened
            alarms.clear(kind: "network", subject: "listen")
            handle(.listening(port: opened.endpoint.port))
        } catch {
            tellOfNetwork("peers cannot reach this device: \(error)", subject: "listen")
        }
    }

    private func announce() {
        do throws(SystemError) {
            let opened = try Beacon(
                on: queue,
                port: options.discoveryPort,
                reach: Beacon.Reach(
                    names: Set(options.interfaces),
                    includesLoopback: options.usesLoopback
                ),
                onDatagram: { [weak self] in self?.hear($0, from: $1) },
                onFailure: { [weak self] interface, error in
                    self?.log.write(.warning, "announcing on \(interface): \(error)")
                }
            )
            monitor = try InterfaceMonitor(on: queue) { [weak self] in
                self?.handle(.networkChanged)
            }
            beacon = opened
            alarms.clear(kind: "network", subject: "announce")
        } catch {
            let text = "other devices cannot be found by themselves: \(error)"
            tellOfNetwork(text, subject: "announce")
        }
    }

    private func tellOfNetwork(_ text: String, subject: String) {
        if alarms.raise(kind: "network", subject: subject, text: text) { log.write(.error, text) }
    }
}
