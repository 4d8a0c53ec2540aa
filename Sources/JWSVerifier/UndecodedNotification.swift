internal import JSONValues
public import ReceiptModels

/// A notification that Apple signed for one of our apps, and that is not as the models have it.
///
/// Nothing may be granted by it. Keep its token, and verify that again with a later version of this
/// library.
///
/// Source: contract on signed data, section 7.2.
public struct UndecodedNotification: Sendable, CustomStringConvertible, CustomReflectable {
  /// Apple's identifier of the notification, where it can be read.
  public let notificationUUID: String?
  /// Apple's type, where it can be read.
  public let notificationType: NotificationType?
  /// The environment, where it can be read.
  public let environment: AppStoreEnvironment?
  /// The token as it came.
  public let token: String
  /// The signed bytes.
  public let payloadBytes: [UInt8]

  let chains: [CertificateChain]

  /// The type of the notification, never the token.
  public var description: String {
    "UndecodedNotification(\(notificationType?.description ?? "no type"))"
  }

  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignedDataVerifier {
  /// Verifies a notification, version 2, without reading it into the models.
  ///
  /// For one that ``notification(_:)`` refused with ``SignedDataFailure/isUndecoded``: signatures and
  /// chains are verified, those of the signed data inside too, and so are environment, bundle id and
  /// Apple id as far as they can be read. A member of another type than Apple documents is passed over;
  /// one that is missing or another's is refused as ever.
  ///
  /// - Parameter token: A compact JWS of at most 256 KiB.
  /// - Returns: What can be told of the notification.
  /// - Throws: ``SignedDataFailure``.
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
  ///
  /// - Parameter notification: The value that this verifier returned.
  /// - Throws: As ``checkingRevocation(of:)``.
  public func checkRevocation(
    of notification: UndecodedNotification
  ) async throws(SignedDataFailure) {
    _ = try await revocationChecker?.check(notification.chains)
  }

  /// The environment of an identity that is ours as far as it can be read.
  private func checked(
    _ identity: OpaqueIdentity
  ) throws(SignedDataFailure) -> AppStoreEnvironment? {
    // An environment that cannot be read is no other: the rest of the identity decides.
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

  /// Verifies the signed data inside, which has to agree with the notification where it can be read.
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

/// What can be read of an object's identity, whatever else is in it.
private struct OpaqueIdentity {
  /// The members of a notification that name an app.
  static let members = ["data", "summary", "externalPurchaseToken", "appData"]

  let environment: AppStoreEnvironment?
  /// Whether the environment is there, but no text.
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
  /// The text, if this is one.
  fileprivate var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
