/// One unit of work on a copy of the tables.
final class MemoryUnit {
  /// What the unit of work may do.
  enum Access {
    /// Only look.
    case read
    /// All.
    case readAndWrite
    /// Nothing: it has ended.
    case nothing
  }

  /// The tables as the unit of work sees them.
  private(set) var tables: MemoryTables
  private var access: Access

  /// A unit of work that begins with these tables.
  init(_ tables: MemoryTables, may access: Access) {
    self.tables = tables
    self.access = access
  }

  /// From here on every call is refused.
  func end() { access = .nothing }

  /// Looks something up.
  func reading<Found>(_ find: (MemoryTables) throws -> Found) throws -> Found {
    guard access != .nothing else {
      throw StorageFailure.database(code: 0, detail: "the unit of work has ended")
    }
    return try find(tables)
  }

  /// Changes something, all of it or nothing.
  func writing<Changed>(_ change: (inout MemoryTables) throws -> Changed) throws -> Changed {
    guard access == .readAndWrite else {
      throw StorageFailure.database(code: 0, detail: "the unit of work may not write")
    }
    return try change(&tables)
  }
}
