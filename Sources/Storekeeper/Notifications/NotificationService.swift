public import JWSVerifier
internal import StorekeeperCrypto
internal import PurchaseStorage
internal import JSONValues
internal import ReceiptModels
public import ReceiptVerifier

/// Receives Apple's server notifications, of version 1 and 2.
///
/// The type of a notification decides nothing, the verified data does. Any notification may come
/// twice, late or out of order; the end is the same. Neither password nor receipt is kept with it.
///
/// Source: contract on linking, section 5.
public struct NotificationService: Sendable {
  /// What keeps the data.
  public let subscriptions: SubscriptionService
  /// What verifies notifications of version 2.
  public let verifier: SignedDataVerifier

  let passwords: [AppSharedSecret]

  /// A service.
  ///
  /// - Parameters:
  ///   - subscriptions: What keeps the data; its client asks Apple about notifications of version 1,
  ///     and its apps are those whose notifications are taken.
  ///   - verifier: What verifies notifications of version 2; let it accept Production and Sandbox.
  ///   - passwords: The shared secrets that a notification of version 1 may name; without one, none is
  ///     taken, and an empty one is none.
  public init(
    subscriptions: SubscriptionService, verifier: SignedDataVerifier,
    passwords: [AppSharedSecret] = []
  ) {
    self.subscriptions = subscriptions
    self.verifier = verifier
    self.passwords = passwords.filter { !$0.text.isEmpty }
  }

  /// Takes the body of a request: with a text `signedPayload` version 2, else version 1.
  ///
  /// The length of the body is for the caller to limit. In version 1 the password is compared before
  /// anything else is read: a member of the wrong type is `malformedBody` for those who know it only
  /// (contract on linking, section 5).
  ///
  /// - Parameter body: JSON in UTF-8.
  /// - Throws: ``NotificationFailure``, or what the store throws.
  public func receive(body: [UInt8]) async throws {
    let json: JSONValue
    do {
      json = try JSONValue(parsingKnown: body)
    } catch {
      throw NotificationFailure.malformedBody
    }
    guard case .object(let members) = json else { throw NotificationFailure.malformedBody }
    if case .string(let token)? = members["signedPayload"] {
      return try await receive(signedPayload: token)
    }
    guard case .string(let password)? = members["password"], try isPasswordRight(password) else {
      throw NotificationFailure.wrongPassword
    }
    let notification: ServerNotificationV1
    do throws(FieldTypeFailure) {
      notification = try ServerNotificationV1(json: json)
    } catch {
      throw NotificationFailure.malformedBody
    }
    try await take(notification)
  }

  /// Runs what keeps data, and says of its failures whether Apple should come again.
  func keeping<Result>(
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await work()
    } catch let failure as SubscriptionFailure {
      if case .verification(let reason) = failure, reason.isUnreachable {
        throw NotificationFailure.appStoreUnavailable(failure)
      }
      throw NotificationFailure.subscription(failure)
    }
  }

  func isSeen(_ key: String) async throws -> Bool {
    try await subscriptions.store.read { records in
      try await records.notifications.isSeen(notificationKey: key)
    }
  }
}
