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
    isTrial = Self.remove("--dry-run", from: &arguments)
    report = try Self.remove("--report", valueFrom: &arguments)
    let mapping = try Self.remove("--mapping", valueFrom: &arguments)
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

  private static func remove(_ option: String, from arguments: inout ArraySlice<String>) -> Bool {
    guard let place = arguments.firstIndex(of: option) else { return false }
    arguments.remove(at: place)
    return true
  }

  /// Reads and removes an option and its value, which follows it or an equals sign.
  private static func remove(
    _ option: String, valueFrom arguments: inout ArraySlice<String>
  ) throws(SettingsFailure) -> String? {
    guard
      let place = arguments.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") })
    else { return nil }
    let argument = arguments.remove(at: place)
    if argument != option { return String(argument.dropFirst(option.utf8.count + 1)) }
    guard arguments.indices.contains(place), !arguments[place].hasPrefix("--") else {
      throw SettingsFailure("\(option) needs a file")
    }
    return arguments.remove(at: place)
  }
}
