import AppStoreServerAPI
import EntitlementPolicy
import FileReceiptStorage
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import JWSVerifier
import LinkPolicy
import MailDelivery
import PurchaseStorage
import ReceiptModels
import RedisReceiptStorage
import ReceiptVerifier
import Storekeeper
import StorekeeperLocks

/// The log of events other than requests, on standard error.
enum ServerLog {
  static func note(_ event: String, _ members: KeyValuePairs<String, JSONValue> = [:]) {
    note(event, members.map { ($0.key, $0.value) })
  }

  static func note(_ event: String, _ members: [(String, JSONValue)]) {
    var line = LogLine()
    line.add("event", event)
    for (name, value) in members { line.add(name, value) }
    Output.error.write(line)
  }

  /// Notes that a worker failed, with the names of its work if there are several such.
  static func noteFailure(_ error: any Error, of members: [(String, JSONValue)] = []) {
    note("worker failed", members + [("error", .string(SafeText.of(error)))])
  }

  private static let caches = CacheLog()

  /// Notes a transient failure, which fails no request.
  static func note(_ incident: ServiceIncident) {
    switch incident {
    case .receiptCacheUnreadable(let error): caches.note("receipt cache unreadable", error)
    case .receiptCacheUnwritable(let error): caches.note("receipt cache unwritable", error)
    case .receiptCacheRefused: note("receipt cache refused")
    case .sourceFailed(let error, let scope):
      if let scope { FailedSources.known.noteFailure(of: scope) }
      note("source failed", (scope?.members ?? []) + [("error", .string(SafeText.of(error)))])
    case .deliveryFailed(let error, let kind, let number):
      let message: [(String, JSONValue?)] = [
        ("kind", kind.map { .string($0.rawValue) }), ("number", number.map { .integer($0) }),
        ("error", .string(SafeText.of(error))),
      ]
      note("delivery failed", message.compactMap { name, value in value.map { (name, $0) } })
    case .messageParked(let reason, let number):
      note(
        "message parked",
        [
          "number": .integer(number), "cause": .string(reason.cause.rawValue),
          "detail": .string(reason.detail ?? ""),
        ])
    case .messagesNotTaken(let kind):
      note("messages not taken", ["kind": .string(kind.rawValue)])
    case .notificationNotDecoded(let path):
      note("notification not decoded", ["path": .string(path)])
    case .signedDataRefused(let failure):
      note(
        "signed data refused",
        ["reason": .string(failure.name), "path": .string(failure.undecodedPath ?? "")])
    case .receiptNotVerified(let failure):
      note(
        "receipt not verified",
        ["reason": .string(failure.name), "detail": .string("\(failure)")])
    case .signedDataNotRecorded(let reason):
      note("signed data not recorded", ["reason": .string("\(reason)")])
    case .retentionMessageLate(let duration):
      note(
        "retention message late",
        ["milliseconds": .integer(Int(duration / .milliseconds(1)))])
    case .consumptionRefused(let failure):
      note("consumption information refused", ["error": .string(SafeText.of(failure))])
    case .refundReviewRefused(let failure):
      note("review of a refund refused", ["error": .string(SafeText.of(failure))])
    case .consumptionMissed(let vendor):
      note("consumption information late", ["vendor": .string(vendor.rawValue)])
    case .recoveredNotificationRefused(let failure):
      note("recovered notification refused", ["reason": .string(failure.caseName)])
    case .storedReceiptRefused(let failure):
      note("stored receipt refused", ["reason": .string(failure.name)])
    case .statusDiffers(let count):
      note("status differs", ["number": .integer(count)])
    case .historyElementsRefused(let count):
      note("parts of a history refused", ["number": .integer(count)])
    case .refreshFailed(let reason): note("refresh failed", ["reason": .string(reason)])
    case .vendorNeedsAttention(let failure, let scope):
      note(
        "a vendor needs attention",
        scope.members + [("reason", .string(failure.reason.rawValue))])
    case .pushRefused(let refusal):
      note("push refused", ["reason": .string(refusal.rawValue)])
    case .voidedPurchaseNotFollowed(let fault):
      note("voided purchase not followed", ["reason": .string(fault.rawValue)])
    case .jobFailed(let error, let job, let scope):
      noteFailure(error, of: [("job", .string(job))] + (scope?.members ?? []))
    case .endpointDisabled(let name): note("endpoint disabled", ["endpoint": .string(name)])
    case .notificationNotForwarded(let name, let reason):
      note(
        "notification not forwarded",
        ["target": .string(name), "reason": .string(reason.rawValue)])
    case .eventUnreadable(let failure):
      note("event unreadable", ["reason": .string("\(failure)")])
    case .unknownValue(let field):
      note("unknown value in a membership", ["field": .string(field.rawValue)])
    }
  }
}

extension PurchaseScope {
  /// The name of a source, without what is not known.
  var members: [(String, JSONValue)] {
    [
      ("vendor", vendor?.rawValue), ("app", appID), ("environment", environment?.rawValue),
    ].compactMap { name, text in text.map { (name, .string($0)) } }
  }
}

/// The part of an error that a log may show.
enum SafeText {
  /// Returns the type of an error, and its description where that is known to hold no secret.
  static func of(_ error: any Error) -> String {
    switch error {
    case let failure as MailAccountsFailure: "MailAccountsFailure: \(of(failure.cause))"
    case let failure as AccountsFailure: "AccountsFailure: \(failure)"
    case OrderFailure.vendorUnavailable(let failure):
      "vendor unavailable: \(failure.reason.rawValue)"
    default: error.safeText
    }
  }
}

/// Counts refused connections, and logs the number at most once a second, so that connecting cannot
/// fill the log.
final class RefusalLog: Sendable {
  private let count = Locked(SparseCount())

  /// Notes a refused connection; the line holds the number since the start.
  func note() {
    guard let count = count.withLock({ $0.next() }) else { return }
    ServerLog.note("connections refused", ["status": .integer(503), "number": .integer(count)])
  }
}

/// Logs each failure of the receipt caches at most once a second, as one that is away fails for every
/// request.
final class CacheLog: Sendable {
  private struct Key: Hashable {
    var event: String
    var error: String
  }

  // The names of cases, and the numbers of the system's errors, so there are few.
  private let counts = Locked<[Key: SparseCount]>([:])

  /// Notes a failure; the line holds the number of the same ones since the start.
  func note(_ event: String, _ error: any Error) {
    let key = Key(event: event, error: SafeText.of(error))
    let count = counts.withLock { $0[key, default: SparseCount()].next() }
    guard let count else { return }
    ServerLog.note(event, ["error": .string(key.error), "number": .integer(count)])
  }
}

/// A number of events, which is logged at most once a second.
private struct SparseCount {
  private var count = 0
  private var lastNote: ContinuousClock.Instant?

  /// Counts an event; returns the number if it is to be logged now.
  mutating func next() -> Int? {
    let now = ContinuousClock.now
    count += 1
    if let lastNote, lastNote.duration(to: now) < .seconds(1) { return nil }
    lastNote = now
    return count
  }
}
