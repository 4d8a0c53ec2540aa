public import ReceiptModels

/// The figures of the business, which are kept as purchases and bookings are recorded.
///
/// What was counted of each purchase stands in a row of its own, its source. A unit of work holds that row, reads the
/// purchase, and adds the difference between what it is now and what was counted. So the sum of all changes is always the
/// sum over all sources, however many units of work write at once and whatever their order is.
///
/// Differences are only added, so that no unit of work waits for another one because of a figure that both change.
/// ``fold(limit:)`` adds them to the sums later.
public protocol MoneyRepository {
  /// Locks the row of a source until the end of the unit of work, and returns what is counted of it; nil if nothing is.
  ///
  /// One that is new is added. What the unit of work reads of purchases afterwards is as it is then, whatever it read
  /// before. Several sources are held in their order.
  func hold(_ source: MoneySource) async throws -> String?

  /// Writes what is counted of a source, which was held in the unit of work.
  func save(_ counted: String, of source: MoneySource) async throws

  /// Gives what is counted of a source to another one, of which nothing is counted; nothing changes if there is none.
  func rename(_ source: MoneySource, to other: MoneySource) async throws

  /// Adds numbers to figures.
  func add(_ changes: MoneyCounts) async throws

  /// Adds at most `limit` of the differences that were added, the oldest first, to the sums, and returns their number; of
  /// several calls at once each takes others.
  func fold(limit: Int) async throws -> Int

  /// Returns the sums of an environment up to and with a day, those that are not folded yet among them: of each day, or of
  /// each month, whose first day then stands for it.
  func counts(
    in environment: AppStoreEnvironment, through day: CalendarDay, of span: MoneySpan
  ) async throws -> MoneyCounts
}

/// The time of which numbers of figures are added up.
public enum MoneySpan: Hashable, Sendable {
  case day
  case month
}

/// A thing of which figures count: a purchase, or the ledger of a user.
public struct MoneySource: Hashable, Sendable, Comparable {
  /// The key: 1 to 512 bytes.
  public let key: String

  /// Creates a source with a key; a purchase and a ledger have theirs by the other initializers.
  public init(key: String) { self.key = key }

  /// Creates the source of a purchase.
  public init(purchase originalTransactionID: String, _ environment: AppStoreEnvironment) {
    key = "purchase:\(environment.rawValue):\(originalTransactionID)"
  }

  /// Creates the source of a user's ledger; the digest stands for the user.
  public init(ledgerOf digest: String) { key = "ledger:\(digest)" }

  /// Returns whether the bytes of the first key come before those of the second.
  public static func < (one: MoneySource, other: MoneySource) -> Bool {
    one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
  }
}
