internal import ReceiptModels
public import Storekeeper

/// The columns of a table of purchases, as a file in YAML or JSON names them.
///
/// ```swift
/// let mapping = try ImportMapping(
///   bytes: Array(
///     """
///     account: user_id
///     transaction_id: original_transaction_id
///     """.utf8))
/// let rows = ImportRows(.table(mapping.columns), reading: next)
/// ```
///
/// One failure refuses the whole file; so does an unknown key, as a column that is not read would be missed in every
/// row. The keys are described in the overview of the module.
public struct ImportMapping: Hashable, Sendable {
  public let columns: ImportColumns

  /// Creates a mapping from the content of a file.
  ///
  /// The file is JSON if its first character other than white space is `{`, else YAML. Whether a table has the columns
  /// is not checked.
  ///
  /// - Parameter bytes: The file in UTF-8, at most 1 MiB, with or without a byte-order mark.
  /// - Throws: ``MappingFailure`` for the first failure.
  public init(bytes: [UInt8]) throws(MappingFailure) {
    do throws(CatalogFault) {
      columns = try Self.columns(in: try CatalogNode(bytes: bytes))
    } catch {
      throw MappingFailure(error)
    }
  }

  private static let keys = [
    "preset", "account", "account_separator", "separated_accounts", "ignored_account_prefixes",
    "receipt", "transaction_id", "purchase_token", "store", "stores", "environment", "environments",
    "app",
    "separator",
  ]

  private static func columns(in file: CatalogNode) throws(CatalogFault) -> ImportColumns {
    let fields = try CatalogField(file, at: .file, line: file.line).fields()
    if let unknown = fields.unknown(besides: keys).first {
      throw unknown.fault(.unknownType(known: keys))
    }
    let preset = try preset(fields.optional("preset"))
    var named = preset ?? ImportColumns()
    if preset == nil { named.account = try fields.required("account", .text).texts() }
    named.account = try fields.optional("account")?.texts() ?? named.account
    named.accountSeparator =
      try fields.optional("account_separator")?.text()
      ?? named.accountSeparator
    named.separatedAccounts =
      try fields.optional("separated_accounts")?.texts() ?? named.separatedAccounts
    named.ignoredAccountPrefixes =
      try fields.optional("ignored_account_prefixes")?.texts()
      ?? named.ignoredAccountPrefixes
    named.receipt = try fields.optional("receipt")?.texts() ?? named.receipt
    named.transactionID = try fields.optional("transaction_id")?.texts() ?? named.transactionID
    named.purchaseToken = try fields.optional("purchase_token")?.texts() ?? named.purchaseToken
    named.store = try fields.optional("store")?.text() ?? named.store
    named.environment = try fields.optional("environment")?.text() ?? named.environment
    named.app = try fields.optional("app")?.text() ?? named.app
    if let field = fields.optional("stores") {
      named.stores = try values(of: field, among: ["apple": .apple, "google": .google])
    }
    if let field = fields.optional("environments") {
      named.environments = try values(
        of: field, among: ["Production": .production, "Sandbox": .sandbox])
    }
    if let field = fields.optional("separator") { named.separator = try separator(field) }
    return named
  }

  private static func preset(_ field: CatalogField?) throws(CatalogFault) -> ImportColumns? {
    guard let field else { return nil }
    switch try field.text() {
    case "revenuecat": return .revenueCat
    case "onesub": return .onesub
    default: throw field.fault(.unknownType(known: ["revenuecat", "onesub"]))
    }
  }

  /// Reads a map from values of a column to what they mean.
  private static func values<Meaning>(
    of field: CatalogField, among known: [String: Meaning]
  ) throws(CatalogFault) -> [String: Meaning] {
    var values: [String: Meaning] = [:]
    for (value, field) in try field.fields().all {
      guard let meaning = known[try field.text()] else {
        throw field.fault(.unknownType(known: known.keys.sorted()))
      }
      values[value] = meaning
    }
    return values
  }

  private static func separator(_ field: CatalogField) throws(CatalogFault) -> UInt8 {
    let text = try field.text()
    if text == "tab" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first,
      (0x21...0x7E).contains(byte), byte != UInt8(ascii: "\"")
    else { throw field.fault(.textOutOfRange(.withoutSpace(maximumLength: 1))) }
    return byte
  }
}
