internal import PurchaseStorage

/// One unit of work on a copy of the tables.
final class MemoryUnit {
  /// The access of a unit of work.
  enum Access {
    /// Reads only.
    case read
    /// Reads and writes.
    case readAndWrite
    /// None: the unit of work has ended.
    case nothing
  }

  /// The tables as the unit of work sees them.
  private(set) var tables: MemoryTables
  private var access: Access

  /// Creates a unit of work that begins with these tables.
  init(_ tables: MemoryTables, may access: Access) {
    self.tables = tables
    self.access = access
  }

  /// Refuses every later call.
  func end() { access = .nothing }

  /// Reads from the tables.
  func reading<Found>(_ find: (MemoryTables) throws -> Found) throws -> Found {
    guard access != .nothing else {
      throw StorageFailure.database(code: 0, detail: "the unit of work has ended")
    }
    return try find(tables)
  }

  /// Changes the tables, all or nothing.
  func writing<Changed>(_ change: (inout MemoryTables) throws -> Changed) throws -> Changed {
    guard access == .readAndWrite else {
      throw StorageFailure.database(code: 0, detail: "the unit of work may not write")
    }
    return try change(&tables)
  }
}
