/// A length in bytes as people say it.
enum ByteCount {
    /// "712 bytes", "4 KiB", "1.2 MiB", "31 MiB", "2.0 GiB".
    static func text(_ bytes: Int) -> String {
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        for (unit, size) in units where bytes >= size {
            let tenths = (bytes * 10 + size / 2) / size
            let isShort = unit != "KiB" && tenths < 100
            let number = isShort ? "\(tenths / 10).\(tenths % 10)" : "\((bytes + size / 2) / size)"
            return "\(number) \(unit)"
        }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}
