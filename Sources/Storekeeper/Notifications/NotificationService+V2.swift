internal import CreditPolicy
internal import EntitlementPolicy
internal import LinkPolicy
internal import JWSVerifier
internal import StorekeeperCrypto
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NotificationService {
  /// Receives a notification of version 2.
  ///
  /// The whole notification is verified first, and then recorded in one unit of work. If the
  /// verifier's configuration has a revocation checker, Apple is asked about the certificates too.
  /// A notification that is authentic but cannot be decoded is stored as it was received and is
  /// reported (``ServiceIncident/notificationNotDecoded(_:)``), and the call returns; see
  /// ``decodeKept(limit:)``. This is so for a refund too, on a host with credits as well: they are taken back
  /// when it is decoded. To have Apple send such a refund again, call ``receive(creditPayload:body:isForwarded:)``. One with a
  /// value that no store can hold is stored too, and refused all the same.
  ///
  /// - Parameter token: The `signedPayload`, a compact JWS.
  /// - Throws: ``NotificationFailure``, an error of the store, or, where an order rests on the purchase, an error of the
  ///   host's accounts.
  public func receive(signedPayload token: String) async throws {
    try await watching { try await take(signedPayload: token, keepsUndecoded: true, $0) }
  }

  /// The outcome of a notification that was not refused.
  enum Outcome: Sendable {
    case recorded
    /// It had been recorded before.
    case repeated
    /// It could not be decoded, and is kept for a later version.
    case kept
    /// It has a value that no store can hold, and is kept as it came.
    case unstorable(StorageFailure)
    /// It is without effect here, and was noted as such.
    case ignored
  }

  /// Receives a notification of version 2, a compact JWS, under the contract of credits.
  ///
  /// It requires a type and an identifier. A notification of an environment that the verifier doesn't
  /// accept is recorded and ignored. One that changes credits, such as a refund, is refused if it cannot be
  /// decoded (``NotificationFailure/payloadInvalid``), so that Apple sends it again; nothing of it is kept.
  /// Any other that cannot be decoded is kept as by ``receive(signedPayload:)`` if the host has subscriptions
  /// or entitlements; if not, it is recorded as one without effect.
  /// Source: credit rules, sections 6 and 10.
  ///
  /// With the body of the request the notification is forwarded, as by ``receive(body:isForwarded:)``.
  ///
  /// - Throws: ``NotificationFailure``, or an error of the store.
  public func receive(
    creditPayload token: String, body: [UInt8] = [], isForwarded: Bool = false
  ) async throws {
    let arrived = ArrivedNotification(body, isForwarded: isForwarded, to: forwards)
    try await forwarding(arrived) {
      try await watching { try await take(creditPayload: token, arrived, $0) }
    }
  }

  private func take(
    creditPayload token: String, _ arrived: ArrivedNotification?, _ sight: NotificationSight?
  ) async throws -> Outcome {
    let envelope: Verified<ServerNotification>
    do throws(SignedDataFailure) {
      envelope = try verifier.notificationEnvelope(token)
    } catch {
      if error.isOfOtherEnvironment {
        try await ignore(token, arrived)
        return .ignored
      }
      throw error.isUndecoded
        ? NotificationFailure.payloadInvalid : NotificationFailure(error)
    }
    guard let type = envelope.payload.notificationType,
      let uuid = NotificationRecord.identifier(envelope.payload.notificationUUID)
    else { throw NotificationFailure.payloadInvalid }
    sight?.note(type.rawValue)
    try await checkRevocation(of: envelope)
    if credits != nil {
      let isSeen = try await store.read { records in
        try await records.creditNotifications.find(uuid: uuid) != nil
      }
      guard !isSeen else { return .repeated }
    }
    let outcome = credits?.outcome(ofIgnored: type, in: envelope.environment)
    do {
      return try await take(
        signedPayload: token, keepsUndecoded: hasFollowers && outcome != nil, sight, arrived)
    } catch let failure as NotificationFailure {
      // Without an effect on credits, what is inside doesn't matter to them.
      guard !hasFollowers, failure.concernsContents, let outcome else { throw failure }
      let ignored = IgnoredNotification(
        payload: envelope.payload, type: type, uuid: uuid, environment: envelope.environment,
        signedDate: envelope.signedDate, outcome: outcome)
      try await record(ignored, arrived)
      return .ignored
    }
  }

  /// Notes that a notification of an environment that the verifier doesn't accept is authentic, so that it is
  /// forwarded; nothing else comes of it.
  private func identify(foreign token: String, _ arrived: ArrivedNotification?) async {
    guard let arrived, let notification = try? verifier.foreignNotification(token),
      (try? await verifier.checkRevocation(of: notification)) != nil,
      let uuid = NotificationRecord.identifier(notification.payload.notificationUUID)
    else { return }
    arrived.identify("v2:" + uuid, .apple, notification.environment, about: nil)
  }

  private func checkRevocation<Payload>(of verified: Verified<Payload>) async throws {
    do throws(SignedDataFailure) {
      _ = try await verifier.checkingRevocation(of: verified)
    } catch {
      throw NotificationFailure(error)
    }
  }

  /// Records a notification of an environment that the verifier doesn't accept, which has no effect.
  private func ignore(_ token: String, _ arrived: ArrivedNotification?) async throws {
    let notification: ForeignNotification
    do throws(SignedDataFailure) {
      notification = try verifier.foreignNotification(token)
      try await verifier.checkRevocation(of: notification)
    } catch {
      throw NotificationFailure(error)
    }
    guard let type = notification.payload.notificationType,
      let uuid = NotificationRecord.identifier(notification.payload.notificationUUID),
      StoredText.fits(notification.environment.rawValue, .kind)
    else { throw NotificationFailure.payloadInvalid }
    let ignored = IgnoredNotification(
      payload: notification.payload, type: type, uuid: uuid, environment: notification.environment,
      signedDate: notification.signedDate, outcome: .ignoredEnvironment)
    try await record(ignored, arrived)
  }

  /// Records a notification that has no effect on credits, once; does nothing for a host without credits.
  private func record(
    _ ignored: IgnoredNotification, _ arrived: ArrivedNotification?
  ) async throws {
    guard credits != nil else { return }
    let now = now()
    let record = CreditNotification(
      uuid: ignored.uuid, type: String(bounding: ignored.type.rawValue),
      subtype: ignored.payload.subtype.map { String(bounding: $0.rawValue) },
      environment: ignored.environment, signedDate: ignored.signedDate ?? now,
      outcome: ignored.outcome, processedDate: now)
    arrived?.identify("v2:" + ignored.uuid, .apple, ignored.environment, about: nil)
    try await store.write { unit in
      guard try await unit.creditNotifications.record(record) else { return }
      try await arrived?.forward(in: unit, at: now)
    }
  }

  /// A notification that has no effect on credits.
  private struct IgnoredNotification: Sendable {
    let payload: ServerNotification
    let type: NotificationType
    let uuid: String
    let environment: AppStoreEnvironment
    let signedDate: Date?
    let outcome: NoticeOutcome
  }

  /// Receives a notification of version 2, and tells its outcome; one that cannot be decoded, or that no store can
  /// hold, is kept or else refused.
  ///
  /// - Throws: ``NotificationFailure``, or an error of the store.
  func take(
    signedPayload token: String, keepsUndecoded: Bool, _ sight: NotificationSight? = nil,
    _ arrived: ArrivedNotification? = nil
  ) async throws -> Outcome {
    let verified: Verified<NotificationContent>
    do throws(SignedDataFailure) {
      verified = try verifier.notification(token)
    } catch {
      if error.isOfOtherEnvironment { await identify(foreign: token, arrived) }
      guard let path = error.undecodedPath else { throw NotificationFailure(error) }
      guard keepsUndecoded else { throw NotificationFailure.payloadInvalid }
      try await keep(undecoded: token, path: path, arrived)
      return .kept
    }
    sight?.note(verified.payload.notification.notificationType?.rawValue)
    do {
      return try await apply(verified, arrived)
    } catch let failure as StorageFailure {
      // What is in it would be refused again, and would block all later notifications.
      guard case .invalidValue(let field) = failure, keepsUndecoded else { throw failure }
      try await keep(undecoded: token, path: field.name, arrived)
      return .unstorable(failure)
    }
  }

  /// Records a verified notification and its facts, unless it is a duplicate.
  func apply(
    _ verified: Verified<NotificationContent>, _ arrived: ArrivedNotification? = nil
  ) async throws -> Outcome {
    try await checkRevocation(of: verified)
    guard verified.payload.hasLawfulIDs else { throw NotificationFailure.malformedID }
    let record = try NotificationRecord(verified)
    arrived?.identify(record, about: verified.payload.renewalInfo?.payload.originalTransactionID)
    guard try await !isSeen(record.key) else { return .repeated }
    let facts = try? PurchaseFacts(verified)
    let transaction = verified.payload.transaction?.payload
    let unit = NotificationUnit(
      record: record, facts: facts,
      awaitsProduct: subscriptions != nil && facts != nil
        && transaction?.type == .autoRenewableSubscription,
      news: try credits?.news(from: verified, uuid: record.notificationUUID ?? record.key),
      isListed: isListed(facts, in: transaction?.bundleID), orders: try await orders(after: facts),
      errand: consumptionErrand(for: verified, key: record.key),
      event: event(in: verified, key: record.key), arrived: arrived)
    return try await keeping { try await write(unit) }
  }

  /// Returns the orders that follow facts; nil for a host without orders.
  func orders(after facts: PurchaseFacts?) async throws -> OrderFollower? {
    guard let orders, let facts else { return nil }
    return try await OrderFollower(of: facts, in: orders)
  }

  /// Returns whether a product in facts is listed by an app of the host.
  func isListed(_ facts: PurchaseFacts?, in bundleID: String?) -> Bool {
    guard let facts, let catalog = bundleID.flatMap({ entitlements?.apps[$0]?.catalog }) else {
      return false
    }
    return facts.purchases.contains { catalog[$0.productID] != nil }
  }

  func write(_ unit: NotificationUnit) async throws -> Outcome {
    // Memberships rest on subscriptions alone.
    let recorder = FactsRecorder(
      memberships: unit.awaitsProduct ? subscriptions?.memberships(because: .webhook) : nil,
      entitlements: entitlements, now: now())
    let (concernsCredits, credits) = (concernsCredits(unit), credits)
    let written = try await recorder.recording(in: context, retries: credits == nil ? 3 : 5) {
      try await unit.write(in: $0, credits, concernsCredits: concernsCredits, recorder)
    }
    guard written.isNoted else { throw SubscriptionFailure.unknownProduct }
    if let facts = unit.facts, let subscriptions {
      await subscriptions.cacheReceipt(of: facts, for: written.subscriptions)
    }
    return written.isRepeated ? .repeated : .recorded
  }

  /// Whether a notification concerns credits even if its transaction is not stored among theirs.
  ///
  /// A consumable always does, because its product may be mapped later. Source: credit rules, section 10.
  private func concernsCredits(_ unit: NotificationUnit) -> Bool {
    guard let credits else { return false }
    guard
      unit.awaitsProduct || unit.orders?.isEmpty == false
        || entitlements != nil && unit.facts != nil
    else { return true }
    // The host has subscriptions, entitlements or orders, and this is a purchase of theirs.
    if unit.news?.isConsumable == true { return true }
    return unit.news?.productID.map { credits.products.contains(appStoreProductID: $0) } ?? true
  }
}

extension SignedDataFailure {
  /// Whether the data are of an environment that the verifier doesn't accept.
  var isOfOtherEnvironment: Bool {
    switch self {
    case .environmentNotAllowed, .environmentUnknown: true
    default: false
    }
  }
}

extension NotificationFailure {
  /// Whether the notification itself is as it should be, but not what is inside.
  fileprivate var concernsContents: Bool {
    switch self {
    case .notAuthentic(.nested), .notAuthentic(.nestedMismatch), .malformedID, .payloadInvalid: true
    default: false
    }
  }

  init(_ failure: SignedDataFailure) {
    switch failure {
    case .bundleMismatch, .appAppleIdMismatch: self = .otherApp(failure)
    case .onlineCheckFailed: self = .revocationUnknown(failure)
    default: self = .notAuthentic(failure)
    }
  }
}

extension NotificationContent {
  /// Whether each transaction ID is absent or has 1 to 64 digits.
  ///
  /// Source: linking rules, section 1.2.
  fileprivate var hasLawfulIDs: Bool {
    let transaction = transaction?.payload
    let renewal = renewalInfo?.payload
    let ids = [
      transaction?.transactionID, transaction?.originalTransactionID,
      renewal?.originalTransactionID,
    ]
    return ids.allSatisfy { $0.map(TransactionIDs.areDigits) ?? true }
  }
}

extension NotificationRecord {
  /// Creates the record of a notification of version 2.
  ///
  /// Its key is Apple's identifier or, without one, a digest of the signed payload.
  fileprivate init(_ verified: Verified<NotificationContent>) throws {
    let notification = verified.payload.notification
    let identifier = Self.identifier(notification.notificationUUID)
    self.init(
      key: try Self.key(identifier, payload: verified.payloadBytes),
      environment: verified.environment,
      notificationType: String(bounding: notification.notificationType?.rawValue ?? ""))
    originalTransactionID = verified.payload.transaction?.payload.originalTransactionID
      .flatMap { TransactionIDs.areDigits($0) ? $0 : nil }
    subtype = notification.subtype.map { String(bounding: $0.rawValue) }
    notificationUUID = identifier
    let renewal = verified.payload.renewalInfo?.payload
    autoRenewProductID = (renewal?.autoRenewProductID).fitting(.productID)
    autoRenewStatus = renewal?.autoRenewStatus.map { $0 == .on }
    expirationIntent = renewal?.expirationIntent?.rawValue
  }
  /// Returns Apple's identifier in lower case, or nil unless it has 1 to 200 bytes.
  static func identifier(_ uuid: String?) -> String? {
    uuid.flatMap { (1...200).contains($0.utf8.count) ? $0.lowercased() : nil }
  }

  /// Returns the key of a notification of version 2.
  ///
  /// Without an identifier, the key is a digest of the signed payload and not of the token, because
  /// one payload may have several signatures.
  static func key(_ identifier: String?, payload: [UInt8]) throws -> String {
    "v2:" + (try identifier ?? hexadecimal(SHA256.digest(of: payload)))
  }
}
