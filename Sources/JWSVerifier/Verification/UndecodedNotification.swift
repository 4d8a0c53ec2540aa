internal import JSONValues
public import ReceiptModels

/// A notification that Apple signed for one of our apps, but that does not fit the models.
///
/// Grant nothing on the basis of it. Keep its token, and verify that again with a later version of
/// this library. Source: `Documentation/rules/app-store-rules.md`.
public struct UndecodedNotification: Sendable, CustomStringConvertible, CustomReflectable {
  public let notificationUUID: String?
  public let notificationType: NotificationType?
  public let environment: AppStoreEnvironment?
  public let token: String
  public let payloadBytes: [UInt8]

  let chains: [CertificateChain]

  /// The type of the notification, never the token.
  public var description: String {
    "UndecodedNotification(\(notificationType?.description ?? "no type"))"
  }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignedDataVerifier {
  /// Verifies a notification, version 2, without decoding it into the models.
  ///
  /// Use this for a notification that ``notification(_:)`` refused with
  /// ``SignedDataFailure/isUndecoded``. Signatures and chains are verified, including those of the
  /// signed data inside, and environment, bundle ID and Apple ID are compared where they can be
  /// read. A member of a type that Apple does not document is skipped. A missing or wrong identity
  /// is refused as usual.
  public func undecodedNotification(
    _ token: String
  ) throws(SignedDataFailure) -> UndecodedNotification {
    var envelope = try authenticContent(of: token, signedDateMember: "signedDate")
    let json = envelope.content.json
    var chains = [envelope.chain]
    var environment: AppStoreEnvironment?
    let members = OpaqueIdentity.members.filter { ![nil, .null].contains(json?[$0]?.kind) }
    if let json, json.kind == .object, members.count != 1 {
      throw .notificationShape(count: members.count)
    }
    for member in members {
      guard let object = json?[member] else { continue }
      let identity = OpaqueIdentity(object, isPurchaseToken: member == "externalPurchaseToken")
      environment = try checked(identity)
      chains += try nestedChains(in: object, of: identity)
    }
    return UndecodedNotification(
      notificationUUID: json?["notificationUUID"]?.text,
      notificationType: (json?["notificationType"]?.text).map { NotificationType(rawValue: $0) },
      environment: environment, token: token, payloadBytes: envelope.content.bytes, chains: chains)
  }

  /// Asks Apple whether a certificate behind a notification was revoked, as
  /// ``checkingRevocation(of:)`` does.
  public func checkRevocation(
    of notification: UndecodedNotification
  ) async throws(SignedDataFailure) {
    _ = try await revocationChecker?.check(notification.chains)
  }

  /// Returns the environment of an identity, if all that can be read of it is accepted.
  private func checked(
    _ identity: OpaqueIdentity
  ) throws(SignedDataFailure) -> AppStoreEnvironment? {
    // An unreadable environment is not a wrong one: the rest of the identity decides.
    guard let environment = identity.environment else {
      guard identity.isEnvironmentUnreadable else { throw .environmentMissing }
      _ = try accepted(
        PayloadIdentity(
          environment: environments.first, bundleID: identity.bundleID, appAppleID: .notMade))
      return nil
    }
    return try accepted(
      PayloadIdentity(
        environment: environment, bundleID: identity.bundleID, appAppleID: identity.appAppleID))
  }

  /// Verifies the signed data inside, which must agree with the notification where it can be read.
  private func nestedChains(
    in object: JSONValue, of outer: OpaqueIdentity
  ) throws(SignedDataFailure) -> [CertificateChain] {
    var chains: [CertificateChain] = []
    for nested in NestedToken.allCases {
      guard let token = object[nested.member]?.text else { continue }
      var content: AuthenticContent
      do throws(SignedDataFailure) {
        content = try authenticContent(of: token, signedDateMember: nested.signedDateMember)
      } catch {
        throw .nested(nested, error)
      }
      let inner = OpaqueIdentity(content.content.json ?? .null, isPurchaseToken: false)
      if let environment = inner.environment, let outer = outer.environment, environment != outer {
        throw .nestedMismatch(.environment(nested))
      }
      if case .made(let bundleID?) = inner.bundleID, case .made(let outerID?) = outer.bundleID,
        !bundleID.isSameText(as: outerID)
      {
        throw .nestedMismatch(.bundleID(nested))
      }
      chains.append(content.chain)
    }
    return chains
  }
}

/// The readable part of an object's identity.
private struct OpaqueIdentity {
  /// The members of a notification that name an app.
  static let members = ["data", "summary", "externalPurchaseToken", "appData"]

  let environment: AppStoreEnvironment?
  /// Whether the environment is present, but not a string.
  let isEnvironmentUnreadable: Bool
  let bundleID: PayloadIdentity.Claim<String>
  let appAppleID: PayloadIdentity.Claim<Int>

  init(_ object: JSONValue, isPurchaseToken: Bool) {
    let name = object["environment"] ?? object["receiptType"]
    if isPurchaseToken {
      let isSandbox = object["externalPurchaseId"]?.text?.hasPrefix("SANDBOX") == true
      environment = isSandbox ? .sandbox : .production
    } else {
      environment = name?.text.map { AppStoreEnvironment(rawValue: $0) }
    }
    isEnvironmentUnreadable =
      environment == nil && (name.map { $0.kind != .null } ?? (object.kind != .object))
    switch object["bundleId"] {
    case .string(let text)?: bundleID = .made(text)
    case nil, .null?: bundleID = object.kind == .object ? .made(nil) : .notMade
    default: bundleID = .notMade
    }
    switch object["appAppleId"] {
    case .integer(let number)?: appAppleID = .made(number)
    case nil, .null?: appAppleID = .made(nil)
    default: appAppleID = .notMade
    }
  }
}

extension NestedToken {
  /// The name of the member that holds the token.
  fileprivate var member: String {
    switch self {
    case .transaction: "signedTransactionInfo"
    case .renewalInfo: "signedRenewalInfo"
    case .appTransaction: "signedAppTransactionInfo"
    }
  }

  fileprivate var signedDateMember: String {
    self == .appTransaction ? AppTransaction.signedDateMember : Transaction.signedDateMember
  }
}

extension JSONValue {
  fileprivate var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
