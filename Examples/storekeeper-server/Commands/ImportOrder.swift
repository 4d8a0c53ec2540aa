import CatalogFiles
import Storekeeper

/// What `import` is told by its arguments: the file, how it is read, and where the report goes.
struct ImportOrder {
  enum Kind: String, CaseIterable {
    case receipts, transactions, tokens, csv, revenuecat, onesub

    /// The format of the file; a table of any other system needs a mapping.
    func format(_ columns: ImportColumns?) -> ImportFormat? {
      switch self {
      case .receipts: .receipts
      case .transactions: .transactions
      case .tokens: .tokens
      case .csv: columns.map { .table($0) }
      case .revenuecat: .table(columns ?? .revenueCat)
      case .onesub: .table(columns ?? .onesub)
      }
    }

    fileprivate var takesMapping: Bool {
      switch self {
      case .receipts, .transactions, .tokens: false
      case .csv, .revenuecat, .onesub: true
      }
    }
  }

  let kind: Kind
  let path: String
  let format: ImportFormat
  private(set) var report: String?
  private(set) var isTrial = false

  /// Reads and removes the arguments of the order; settings may stand between its options.
  ///
  /// - Throws: ``SettingsFailure`` for wrong arguments, or a mapping that cannot be read or is refused.
  init(_ arguments: inout ArraySlice<String>) throws(SettingsFailure) {
    let kinds = Kind.allCases.map(\.rawValue)
    guard let kind = arguments.popFirst().flatMap({ Kind(rawValue: $0) }) else {
      throw SettingsFailure("import takes a kind of file: \(kinds.joined(separator: ", "))")
    }
    guard let path = arguments.popFirst(), !path.hasPrefix("-") else {
      throw SettingsFailure("import takes a file after its kind")
    }
    (self.kind, self.path) = (kind, path)
    isTrial = arguments.remove(option: "--dry-run")
    report = try arguments.removeValue(of: "--report", "a file")
    let mapping = try arguments.removeValue(of: "--mapping", "a file")
    guard mapping == nil || kind.takesMapping else {
      throw SettingsFailure("--mapping is for tables: csv, revenuecat and onesub")
    }
    guard let format = kind.format(try mapping.map(Self.columns)) else {
      throw SettingsFailure("import csv needs --mapping and a file that names the columns")
    }
    self.format = format
  }

  private static func columns(_ path: String) throws(SettingsFailure) -> ImportColumns {
    guard let bytes = RegularFile.contents(path, limit: (1 << 20) + 1) else {
      throw .unreadable(path)
    }
    do throws(MappingFailure) {
      return try ImportMapping(bytes: bytes).columns
    } catch {
      throw SettingsFailure("\(error)")
    }
  }
}
