internal import JSONValues
package import ReceiptModels

/// The environment and app that a payload names, to compare with the accepted ones.
package struct PayloadIdentity {
  var environment: AppStoreEnvironment?
  var bundleID: Claim<String>
  /// Apple's number for the app, compared only in Production.
  var appAppleID: Claim<Int>

  /// A field that a kind of payload has, or never has.
  enum Claim<Value> {
    /// The field exists in this kind of payload, here with this value.
    case made(Value?)
    /// The field does not exist in this kind of payload.
    case notMade
  }
}

/// A payload that Apple signs.
package protocol SignedPayload: FieldModel {
  /// The name of the member with the signing date, in milliseconds.
  static var signedDateMember: String { get }
  /// Returns the environment and app that the payload names.
  ///
  /// - Throws: ``SignedDataFailure/notificationShape(count:)`` for a notification that has not
  ///   exactly one content.
  func identity() throws(SignedDataFailure) -> PayloadIdentity
  /// A member that shows that the payload is of another kind, or nil.
  var foreignMember: String? { get }
}

extension SignedPayload {
  package static var signedDateMember: String { "signedDate" }
  package var foreignMember: String? { nil }
}

extension Transaction: SignedPayload {
  package func identity() -> PayloadIdentity {
    PayloadIdentity(
      environment: environment, bundleID: .made(bundleID), appAppleID: .notMade)
  }
}

extension RenewalInfo: SignedPayload {
  /// A member of transactions, which share fields with renewal info and would decode as an empty
  /// one.
  package var foreignMember: String? {
    let isTransaction = autoRenewStatus == nil && autoRenewProductID == nil
    return isTransaction && additionalMembers["transactionId"] != nil ? "transactionId" : nil
  }

  package func identity() -> PayloadIdentity {
    PayloadIdentity(environment: environment, bundleID: .notMade, appAppleID: .notMade)
  }
}

extension AppTransaction: SignedPayload {
  package static var signedDateMember: String { "receiptCreationDate" }

  package func identity() -> PayloadIdentity {
    PayloadIdentity(
      environment: receiptType, bundleID: .made(bundleID), appAppleID: .made(appAppleID))
  }
}

extension RealtimeRequest: SignedPayload {
  package func identity() -> PayloadIdentity {
    PayloadIdentity(
      environment: environment, bundleID: .notMade, appAppleID: .made(appAppleID))
  }
}

extension ServerNotification: SignedPayload {
  package func identity() throws(SignedDataFailure) -> PayloadIdentity {
    let identities = [
      data.map { Self.claims($0.environment, $0.bundleID, $0.appAppleID) },
      summary.map { Self.claims($0.environment, $0.bundleID, $0.appAppleID) },
      externalPurchaseToken.map { Self.claims($0.environment, $0.bundleID, $0.appAppleID) },
      appData.map { Self.claims($0.environment, $0.bundleID, $0.appAppleID) },
    ].compactMap(\.self)
    guard identities.count == 1, let identity = identities.first else {
      throw .notificationShape(count: identities.count)
    }
    return identity
  }

  private static func claims(
    _ environment: AppStoreEnvironment?, _ bundleID: String?, _ appAppleID: Int?
  ) -> PayloadIdentity {
    PayloadIdentity(
      environment: environment, bundleID: .made(bundleID), appAppleID: .made(appAppleID))
  }
}

extension ExternalPurchaseToken {
  /// The environment, which the prefix of the ID tells.
  fileprivate var environment: AppStoreEnvironment {
    externalPurchaseID?.hasPrefix("SANDBOX") == true ? .sandbox : .production
  }
}
