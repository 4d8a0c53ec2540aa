public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records that all capabilities have in common, as one unit of work sees them.
///
/// A host's own store implements them, and those of the capabilities that it has; a ``UnitOfWork`` shows them.
public protocol PurchaseRecords {
  var purchases: any PurchaseRepository { get }
  var notifications: any NotificationRepository { get }
  var outbox: any OutboxRepository { get }
  var jobs: any JobRepository { get }
  var consumption: any ConsumptionRepository { get }
  var retention: any RetentionRepository { get }
  /// The events for the host; nil, as by default, for a store that keeps none.
  var events: (any EventRepository)? { get }
  /// The figures of the business; nil, as by default, for a store that keeps none.
  var money: (any MoneyRepository)? { get }

  /// The records of what support did by hand; nil for a store that keeps none, as by default.
  var acts: (any ActRepository)? { get }

  /// The erasing of accounts; nil, as by default, for a store that can't.
  var erasure: (any ErasureRepository)? { get }

  /// Returns the date of the newest row of each kind of event that only the host knows; a kind without rows, or of a
  /// capability that the database lacks, is left out.
  ///
  /// It tells after a restore how far the rows reach. A walk over a whole table is fine: it is asked once in a
  /// rebuild.
  func newestEvents() async throws -> [HostEvent: Date]

  /// Asks the questions that the unit of work is going to ask, and keeps the answers for it.
  ///
  /// A store with a server may send all of them in one exchange, in their order; what the unit of work writes
  /// itself is seen by later questions all the same. By itself this does nothing, and each is asked when it comes.
  func prepare(for questions: [UnitQuestion]) async throws
}

extension PurchaseRecords {
  public var events: (any EventRepository)? { nil }
  public var money: (any MoneyRepository)? { nil }

  public var acts: (any ActRepository)? { nil }

  public var erasure: (any ErasureRepository)? { nil }

  /// Does nothing.
  public func prepare(for questions: [UnitQuestion]) async throws {}
}

/// A kind of event that only the host knows, so that no store can tell it again after its row was lost.
public enum HostEvent: String, Hashable, Sendable, CaseIterable {
  /// An account was linked to a subscription: the copy of its earlier membership, or the message about it.
  case link
  case unlink
  /// A purchase was associated with a user, for entitlements.
  case association
  /// A subscription was ordered, or checked again at a login.
  case order
  /// Credits were booked by the host itself, such as spending.
  case booking
}

/// The App Store's notifications: recorded once each, or kept for later if they could not be decoded.
public protocol NotificationRepository {
  /// Records a notification; returns false if one with the same key is stored, which stays as it is.
  ///
  /// A store that has told before that there is none may record it with the commit, which throws
  /// ``StorageFailure/duplicate(_:)`` if there is one then.
  func record(notification: NotificationRecord, now: Date) async throws -> Bool

  /// Returns whether a notification with this key is stored.
  func isSeen(notificationKey: String) async throws -> Bool

  /// Returns the date at which the latest notification of an environment was recorded, or nil if none is
  /// stored; those that were kept undecoded don't count.
  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date?

  /// Keeps a notification that could not be decoded; one with the same key stays as it is.
  func keep(_ notification: KeptNotification) async throws

  /// Returns the kept notifications whose keys come after the given one, in ascending order of the bytes
  /// of the key.
  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification]

  /// Removes a kept notification, if it is stored.
  func removeKeptNotification(key: String) async throws
}

/// The places of jobs that walk in steps and can be resumed, each job held by one worker at a time.
///
/// Of two leases of a job one after the other, the second one begins where the first one ended: at the
/// place that it advanced to last.
public protocol JobRepository {
  /// Leases a job to a worker, at the place that was reached; a job without a place is new.
  ///
  /// Returns nil while an earlier lease is live, which includes one of the same token. The name of the job has 1 to
  /// 100 bytes. The token is another one for each lease: 1 to 64 visible characters.
  func lease(job: String, now: Date, until: Date, token: String) async throws -> JobPlace?

  /// Moves a job to another place and prolongs the lease; returns false, and changes nothing, if the token no longer
  /// holds it.
  ///
  /// A lease that has ended is not lost before another worker leases the job, or it was given back. Where the leased
  /// `place` stands is not compared. The new one has at most 255 bytes; an empty text is the beginning and reads as
  /// nil.
  func advance(
    _ place: JobPlace, to newPlace: String, now: Date, until: Date
  ) async throws -> Bool

  /// Gives a lease back: the job is free immediately, at its place. Nothing changes if the lease was lost.
  func giveBack(_ place: JobPlace) async throws

  /// Returns the place that a job reached, or nil if it is at the beginning or was never leased.
  func place(of job: String) async throws -> String?

  /// Returns the jobs that were ever leased, in ascending order of the bytes of their names: the first ones up to the
  /// limit.
  func jobs(limit: Int) async throws -> [JobState]
}

/// A job as it stands.
public struct JobState: Hashable, Sendable {
  /// The name of the job: 1 to 100 bytes.
  public var job: String
  /// The place that was reached, at most 255 bytes; nil at the beginning.
  public var place: String?
  /// The moment until which a worker has leased the job, which may be over, in whole seconds; nil if it was given back.
  public var leaseEnd: Date?
  /// The moment at which it was leased, or moved to another place, for the last time, in whole seconds.
  public var changedDate: Date

  /// Creates the state of a job.
  public init(job: String, place: String?, leaseEnd: Date?, changedDate: Date) {
    self.job = job
    self.place = place
    self.leaseEnd = leaseEnd
    self.changedDate = changedDate
  }
}

/// The place of a job that walks in steps and can be resumed, held by one worker at a time.
public struct JobPlace: Hashable, Sendable {
  /// The name of the job: 1 to 100 bytes.
  public var job: String
  /// The place that was reached, at most 255 bytes; nil at the beginning.
  public var place: String?
  public var token: String

  /// Creates the place of a job.
  public init(job: String, place: String?, token: String) {
    self.job = job
    self.place = place
    self.token = token
  }
}

/// The record of a notification, without password and receipt.
///
/// Source: `Documentation/rules/linking-rules.md`.
public struct NotificationRecord: Hashable, Sendable {
  /// The key that identifies the notification when it arrives again: at most 255 bytes.
  public var key: String
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String?
  public var notificationType: String
  public var subtype: String?
  /// The App Store's identifier of the notification (version 2).
  public var notificationUUID: String?
  public var autoRenewProductID: String?
  public var autoRenewStatus: Bool?
  public var autoRenewStatusChangeDate: Date?
  public var expirationIntent: Int?
  /// The App Store's status of the receipt (version 1).
  public var responseStatus: Int?

  /// Creates a record with the fields of every notification.
  public init(key: String, environment: AppStoreEnvironment, notificationType: String) {
    self.key = key
    self.environment = environment
    self.notificationType = notificationType
  }
}

/// An authentic notification that could not be decoded or recorded: kept as received, until a later version
/// can.
///
/// Source: `Documentation/rules/app-store-rules.md`.
public struct KeptNotification: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The key that identifies the notification when it arrives again: at most 255 bytes.
  public var key: String
  /// The environment, if it could be read.
  public var environment: AppStoreEnvironment?
  /// The compact JWS, 1 byte to 256 KiB.
  public var signedPayload: String
  /// The path of the field that could not be decoded, or its name if no store can hold it; empty for the whole
  /// payload.
  public var path: String
  public var receivedDate: Date

  /// Creates a notification to keep.
  public init(
    key: String, environment: AppStoreEnvironment?, signedPayload: String, path: String,
    receivedDate: Date
  ) {
    self.key = key
    self.environment = environment
    self.signedPayload = signedPayload
    self.path = path
    self.receivedDate = receivedDate
  }

  /// The path, never the token.
  public var description: String { "KeptNotification(\(path))" }

  public var customMirror: Mirror {
    Mirror(self, children: ["key": key, "path": path, "receivedDate": receivedDate])
  }
}
