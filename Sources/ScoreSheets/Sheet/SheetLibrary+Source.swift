package import SessionCRDT

extension SheetLibrary {
    /// The JSON of a sheet that every device has, laid out for people; nil of others.
    package static func builtInSource(of id: Symbol) -> String? { file(id)?.json }

    /// A sheet that every device has, of which alone is read; nil of others.
    package static func builtIn(_ id: Symbol) -> Sheet? { file(id)?.sheet }

    /// Whether every device has a sheet of this id.
    package static func isBuiltIn(_ id: Symbol) -> Bool { file(id) != nil }

    private static func file(_ id: Symbol) -> BuiltInSheet? {
        BuiltInSheet.all.first { $0.id == id }
    }
}
