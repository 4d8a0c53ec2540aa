internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// The tables of credits.
struct MemoryCredits: Sendable {
  /// Number n has the index n - 1.
  var transactions: [CreditTransaction] = []
  /// The numbers by environment and transaction.
  var transactionNumbers: [Key: Int] = [:]
  /// Number n has the index n - 1.
  var entries: [LedgerEntry] = []
  /// The numbers by environment and event.
  var entryNumbers: [Key: Int] = [:]
  /// The numbers by user, ascending.
  var entriesOfUsers: [AccountID: [Int]] = [:]
  /// The balances by user.
  var balances: [AccountID: Int] = [:]
  /// By the bytes of the identity.
  var claims: [[UInt8]: StarterClaim] = [:]
  /// By the bytes of the UUID.
  var notifications: [[UInt8]: CreditNotification] = [:]

  /// A key of bytes that keeps the environments apart.
  struct Key: Hashable, Sendable {
    private let environment: [UInt8]
    private let id: [UInt8]

    /// Creates a key; nil stands for the host's own events.
    init(_ environment: AppStoreEnvironment?, _ id: String) {
      self.environment = Array((environment?.rawValue ?? "").utf8)
      self.id = Array(id.utf8)
    }
  }
}
