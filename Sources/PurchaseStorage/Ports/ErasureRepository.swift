public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The erasing of an account: what names it goes, and what must be kept is kept under a pseudonym.
///
/// It reaches the rows of all capabilities that the database has. The table of what becomes of each is in the guide
/// "Erasing an account".
public protocol ErasureRepository {
  /// Returns what the rows say about an account, under either of its identifiers.
  ///
  /// A walk over a whole table is fine, here and in ``erase(_:)``: an account is seldom erased.
  func traces(of account: Account) async throws -> AccountTraces

  /// Returns the purchases of which a stored charge has one of some app account tokens, each once, in no particular order.
  func purchases(markedBy tokens: Set<UUID>) async throws -> [ReceiptCursor]

  /// Erases an account, and returns how many rows were changed or removed of each kind; a kind of which none was is
  /// left out.
  ///
  /// Messages that forward a notification (``/ReceiptModels/OutboxMessage/Kind/forward(_:)``) go if they are about one of
  /// the account's purchases, or of those that carry its token.
  ///
  /// The rows of a ledger keep their numbers, amounts and balances, so that an audit of it finds what it found before.
  /// Whoever is booking for the account at the same time is waited for.
  func erase(_ erasure: AccountErasure) async throws -> [ErasedKind: Int]
}

/// What the rows of a store say about an account, besides its identifiers.
public struct AccountTraces: Hashable, Sendable {
  public var account: Account
  /// The purchases that the account has by the records of any capability, each once, and those that it unlinked and that
  /// nobody has linked since; in no particular order.
  public var purchases: [ReceiptCursor]
  /// The app account tokens of the account: a store returns those of its packs of credits, and whoever erases adds those
  /// of its purchases and others that are known.
  public var appAccountTokens: Set<UUID>
  /// Other purchases from which the tokens go: those that carry one and that nobody has.
  public var markedPurchases: [ReceiptCursor]

  /// Creates traces.
  public init(
    account: Account, purchases: [ReceiptCursor] = [], appAccountTokens: Set<UUID> = [],
    markedPurchases: [ReceiptCursor] = []
  ) {
    self.account = account
    self.purchases = purchases
    self.appAccountTokens = appAccountTokens
    self.markedPurchases = markedPurchases
  }

  /// The purchases whose receipts go with the account: Apple's.
  ///
  /// A receipt of Apple's tells of everything that a customer bought. Google's token names one purchase, as a transaction
  /// ID does, and what is still owed to Google needs it.
  public var receipts: [ReceiptCursor] {
    purchases.filter { TransactionIDs.vendor(of: $0.originalTransactionID) == .apple }
  }

  /// The original transaction IDs of the purchases whose notifications in the outbox go, each once.
  ///
  /// A message does not tell its environment. One that names no purchase has `0`.
  package var forwardedPurchases: Set<String> {
    Set((purchases + markedPurchases).map(\.originalTransactionID)).subtracting(["0"])
  }

  /// The identifiers of the account, each once.
  package var identifiers: [AccountID] {
    let (id, second) = (account.id, account.secondID)
    guard let second, second != id else { return [id] }
    return [id, second]
  }
}

/// An account to erase, and the pseudonym that stands in its place.
public struct AccountErasure: Hashable, Sendable {
  public var traces: AccountTraces
  /// The pseudonym of the account: 1 to 64 visible ASCII characters, which nobody can make from its identifiers.
  public var pseudonym: AccountID
  /// A text by which the host finds the erasure again, such as the number of a request, for the event alone; nil if there
  /// is none.
  public var reference: String?
  public var date: Date
  /// What names the account in the events of others.
  public var mentions: [Mention] = []

  /// A text in the fields of an event, and what takes its place.
  public struct Mention: Hashable, Sendable {
    public var text: String
    public var replacement: String

    /// Creates a mention.
    public init(_ text: String, replacement: String) {
      self.text = text
      self.replacement = replacement
    }
  }

  /// Creates an erasure.
  public init(
    _ traces: AccountTraces, as pseudonym: AccountID, reference: String? = nil, at date: Date
  ) {
    self.traces = traces
    self.pseudonym = pseudonym
    self.reference = reference
    self.date = date
  }

  /// The app account tokens as texts of other records have them.
  package var tokenTexts: [String] {
    traces.appAccountTokens.map(\.uuidString).sorted().flatMap { [$0, $0.lowercased()] }
  }

  /// The identity of a starter pack's buyer, in place of one that was the customer's address.
  package func identity(_ number: Int) -> String { "\(pseudonym)/\(number)" }

  /// The identifiers of the account, each once, with what stands in its place: that of a second identifier ends with
  /// `-2`, as two ledgers do not become one.
  package var replacements: [(id: AccountID, pseudonym: AccountID)] {
    let names = [pseudonym, AccountID(stored: pseudonym.rawValue + "-2")]
    return Array(zip(traces.identifiers, names)).map { (id: $0, pseudonym: $1) }
  }
}

/// A kind of rows that an erasure changes or removes.
@nonexhaustive
public enum ErasedKind: String, Hashable, Sendable, CaseIterable {
  // Kept under the pseudonym.
  case creditAccounts
  case creditEntries
  case creditPurchases
  case starterClaims
  case disputes
  case transfers
  case supportActs

  // Kept without the account.
  case subscriptions
  case appAccountTokens
  /// Answers to stores' questions about refunds.
  case refundAnswers
  /// What is still owed to a store, such as an acknowledgement.
  case storeMessages
  /// Events of other accounts that named this one.
  case mentions

  // Removed.
  case memberships
  case snapshots
  case unlinks
  case associations
  case acquisitions
  case validations
  case orders
  case claims
  case receipts
  case sessions
  case messages
  case events
}

extension OutboxMessage.Kind {
  /// The messages by which something that is owed to a store is done: they go on without the account.
  package static let owedToStores: [OutboxMessage.Kind] = [
    .googleAcknowledgement, .googleConsumption, .consumption, .refundReview,
  ]
}

extension PurchaseKey {
  /// The keys under which records may know the purchase: of Google's, the environment is not certain.
  package var cursors: [ReceiptCursor] {
    guard let originalTransactionID else { return [] }
    let environments: [AppStoreEnvironment] =
      vendor == .apple ? [environment] : [.production, .sandbox]
    return environments.map {
      ReceiptCursor(originalTransactionID: originalTransactionID, environment: $0)
    }
  }
}
