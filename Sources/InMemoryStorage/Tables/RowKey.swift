internal import JSONValues
internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// The key of a row: texts that are compared byte by byte.
struct RowKey: Hashable, Comparable, Sendable {
  private let texts: [UniqueText]

  init(_ texts: String...) { self.texts = texts.map(UniqueText.init) }

  /// Creates the key of a record of a store; nil stands for an environment that there is none of.
  init(_ environment: AppStoreEnvironment?, _ id: String) {
    self.init(environment?.rawValue ?? "", id)
  }

  /// Creates the key of a user, or of a user in an app.
  init(_ userID: AccountID, in bundleID: String? = nil) {
    texts = [userID.rawValue, bundleID].compactMap { $0.map(UniqueText.init) }
  }

  /// Whether the key is that of a user, or of a user in an app.
  func isOf(_ userID: AccountID) -> Bool { texts.first == UniqueText(userID.rawValue) }

  static func < (one: RowKey, other: RowKey) -> Bool {
    one.texts.lexicographicallyPrecedes(other.texts)
  }
}

/// A value of a row by which an index finds it.
struct IndexKey: Hashable, Sendable {
  /// The field that has the value.
  enum Field: Hashable, Sendable {
    /// A field whose values are unique over all rows.
    case unique(StorageFailure.UniqueField)
    case account
    case purchase
    case event
  }

  let field: Field
  private let value: RowKey

  init(_ field: Field, _ value: RowKey) {
    self.field = field
    self.value = value
  }

  /// Creates a value of a text; nil if there is none.
  init?(_ field: Field, _ text: String?) {
    guard let text else { return nil }
    self.init(field, RowKey(text))
  }
}
