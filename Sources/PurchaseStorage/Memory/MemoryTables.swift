internal import LinkPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All that is kept, as one value: a copy is a state that no one else can change.
struct MemoryTables: Sendable {
  /// A key of tables that keep the environments apart.
  struct Key: Hashable, Sendable {
    var environment: AppStoreEnvironment
    var id: String
  }

  /// The refresh job's word on a subscription.
  struct PollState: Sendable {
    var lease: MemoryLease?
    var nextTry: Date?
    var failures = 0
    var lastError: String?
  }

  /// A message and its delivery.
  struct Mail: Sendable {
    var number: Int
    var message: OutboxMessage
    var createdDate: Date
    var lease: MemoryLease?
    var nextTry: Date?
    var failures = 0
    var sentDate: Date?
  }

  /// By original transaction id.
  var subscriptions: [String: StoredSubscription] = [:]
  /// By transaction id.
  var transactions: [Key: PurchaseRecord] = [:]
  /// By original transaction id.
  var renewals: [Key: [RenewalRecord]] = [:]
  /// By environment, both ids and the moment.
  var sessions: [[String]: Recorded<VerificationSession>] = [:]
  /// By original transaction id.
  var receipts: [Key: StoredReceipt] = [:]
  /// By the bytes of the key: texts that only look alike are not the same.
  var notifications: [[UInt8]: Recorded<NotificationRecord>] = [:]
  /// By the bytes of the key.
  var keptNotifications: [[UInt8]: KeptNotification] = [:]
  /// By compound id.
  var memberships: [String: Membership] = [:]
  /// In the order of recording.
  var events: [MembershipEvent] = []
  /// By original transaction id.
  var polls: [String: PollState] = [:]
  /// Number n is at place n - 1.
  var runs: [RefreshRun] = []
  /// In the order of their numbers.
  var mails: [Mail] = []
  /// The greatest number that a message has had.
  var lastMail = 0
  /// Who removes what is old.
  var removals: [RetainedKind: MemoryLease] = [:]
}

/// Something with the moment at which it was recorded.
struct Recorded<Value: Sendable>: Sendable {
  var value: Value
  var date: Date
}

/// That a worker has something for itself for a while.
struct MemoryLease: Sendable {
  var token: String
  var until: Date

  /// Whether nobody else may have it at this moment.
  func isLive(at now: Date) -> Bool { now < until }
}

extension String {
  /// Whether this is before the other as text, byte by byte.
  func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

  /// Whether the bytes are the same.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
