package import SessionCRDT

extension SheetLibrary {
    /// The JSON of a sheet that every device has, laid out for people; nil of others.
    package static func builtInSource(of id: Symbol) -> String? {
        BuiltInSheet.all.first { $0.sheet.id == id }?.json
    }
}
