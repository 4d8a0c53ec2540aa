internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// The tables of entitlements.
struct MemoryEntitlements: Sendable {
  /// A user in an app.
  struct Key: Hashable, Sendable {
    let userID: AccountID
    private let bundle: UniqueText

    /// Creates a key.
    init(_ userID: AccountID, _ bundleID: String) {
      self.userID = userID
      bundle = UniqueText(bundleID)
    }

    /// The app.
    var bundleID: String { bundle.text }

    /// Whether this key precedes another, by the bytes of both parts.
    func isBefore(_ other: Key) -> Bool {
      userID == other.userID ? bundle < other.bundle : userID < other.userID
    }
  }

  /// The state of validations and the lease of a worker.
  struct Validation: Sendable {
    var state: AppValidation
    var lease: MemoryLease?
  }

  /// By environment and original transaction id.
  var associations: [MemoryTables.Key: PurchaseAssociation] = [:]
  /// In the order of recording.
  var conflicts: [AssociationConflict] = []
  /// By product.
  var acquired: [Key: [UniqueText: AcquiredProduct]] = [:]
  var validations: [Key: Validation] = [:]
  /// By environment and original transaction id.
  var unanswered: [MemoryTables.Key: UnansweredPurchase] = [:]
}
