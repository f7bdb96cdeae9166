/// What is sent to chromedriver and comes back from it.
extension Browser {
    struct Envelope<Value: Decodable>: Decodable {
        let value: Value
    }

    /// Something that nobody reads.
    struct Nothing: Decodable {
        init(from decoder: any Decoder) {}
    }

    struct Made: Decodable {
        let sessionId: String
    }

    /// The browser that is wished for.
    struct Wish: Encodable {
        struct Capabilities: Encodable {
            let alwaysMatch: [String: Options]
        }

        struct Options: Encodable {
            // The tests may run as root, where Chromium has no sandbox, and without much memory
            // that is shared.
            let args = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-extensions", "--disable-background-networking",
            ]
        }

        let capabilities = Capabilities(alwaysMatch: ["goog:chromeOptions": Options()])
    }

    struct Script: Encodable {
        let script: String
        let args: [String] = []

        init(_ script: String) { self.script = script }
    }

    /// Whether a condition holds, or else what the page shows.
    enum Held: Decodable {
        case holds
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try? container.decode(String.self)
            self = text.map(Held.text) ?? .holds
        }
    }

    struct Command<Parameters: Encodable>: Encodable {
        let cmd: String
        let params: Parameters
    }

    struct Metrics: Encodable {
        let width: Int
        let height: Int
        let deviceScaleFactor = 1
        let mobile: Bool
    }

    struct Media: Encodable {
        struct Feature: Encodable {
            let name: String
            let value: String
        }

        let features: [Feature]
    }

    /// Keys that are pressed one after the other.
    struct Keyboard: Encodable {
        struct Press: Encodable {
            let type: String
            let value: String
        }

        let type = "key"
        let id = "keyboard"
        let actions: [Press]
    }

    struct Complaint: Decodable {
        let message: String
    }

    /// The page as it is told to somebody who cannot see it.
    struct AccessibleTree: Decodable {
        let nodes: [AccessibleNode]
    }

    /// One thing of it.
    struct AccessibleNode: Decodable {
        struct Told: Decodable {
            let value: String?

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                value = try? container.decode(String.self, forKey: .value)
            }

            private enum CodingKeys: String, CodingKey {
                case value
            }
        }

        let ignored: Bool
        private let role: Told?
        private let name: Told?

        /// `role: name`, or the role alone.
        var words: String {
            [role?.value, name?.value].compactMap(\.self).filter { !$0.isEmpty }
                .joined(separator: ": ")
        }
    }
}
