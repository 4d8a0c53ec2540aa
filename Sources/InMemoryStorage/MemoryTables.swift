internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All tables as one value, so that a copy is a snapshot.
struct MemoryTables: Sendable {
  /// A key that keeps the environments apart.
  struct Key: Hashable, Sendable {
    var environment: AppStoreEnvironment
    var id: String
  }

  /// The refresh job's state of a subscription.
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
    var parking: (reason: ParkingReason, date: Date)?
  }

  /// A job that can be resumed.
  struct Job: Sendable {
    var place: String?
    var lease: MemoryLease?
  }

  /// The key of a revision.
  struct RevisionKey: Hashable, Sendable {
    var key: Key
    var kind: HistoryRevision.Kind
  }

  /// By original transaction id.
  var subscriptions: [String: StoredSubscription] = [:]
  /// By transaction id.
  var transactions: [Key: PurchaseRecord] = [:]
  /// By original transaction id.
  var renewals: [Key: [RenewalRecord]] = [:]
  /// The stamp of the newest set of renewals, by original transaction id.
  var renewalSets: [Key: Date] = [:]
  /// By environment, both ids and the moment.
  var sessions: [[String]: Recorded<VerificationSession>] = [:]
  /// By original transaction id.
  var receipts: [Key: StoredReceipt] = [:]
  /// By original transaction id and kind.
  var revisions: [RevisionKey: HistoryRevision] = [:]
  /// By the bytes of the key, because texts that only look alike differ.
  var notifications: [[UInt8]: Recorded<NotificationRecord>] = [:]
  /// By the bytes of the key.
  var keptNotifications: [[UInt8]: KeptNotification] = [:]
  /// By key.
  var memberships: [String: Membership] = [:]
  /// In the order of recording.
  var events: [MembershipEvent] = []
  /// By original transaction id.
  var polls: [String: PollState] = [:]
  /// Run number n has the index n - 1.
  var runs: [RefreshRun] = []
  /// In the order of their numbers.
  var mails: [Mail] = []
  /// The greatest number that a message has had.
  var lastMail = 0
  /// By the bytes of the name.
  var jobs: [[UInt8]: Job] = [:]
  /// By the bytes of the key.
  var consumption: [[UInt8]: ConsumptionCase] = [:]
  /// The leases of removals.
  var removals: [RetainedKind: MemoryLease] = [:]
  /// The tables of credits.
  var credits = MemoryCredits()
  /// The tables of entitlements.
  var entitlements = MemoryEntitlements()
  /// The tables of orders.
  var orders = MemoryOrders()
}

/// A value with the moment at which it was recorded.
struct Recorded<Value: Sendable>: Sendable {
  var value: Value
  var date: Date
}

/// A lease of a worker.
struct MemoryLease: Sendable {
  var token: String
  var until: Date

  /// Whether the lease still excludes other workers at a moment.
  func isLive(at now: Date) -> Bool { now < until }
}
