package import JSONValues
package import ReceiptModels

/// What a payload says about itself, for comparison with what we accept (contract, section 2.1).
package struct PayloadIdentity {
  /// The environment, or nil when the payload names none.
  var environment: AppStoreEnvironment?
  /// The bundle id.
  var bundleID: Claim<String>
  /// Apple's number for the app; compared in Production only.
  var appAppleID: Claim<Int>

  /// A statement that a kind of payload makes, or never makes.
  enum Claim<Value> {
    /// This kind of payload has the field, here with this value.
    case made(Value?)
    /// This kind of payload has no such field.
    case notMade
  }
}

/// A payload that Apple signs.
package protocol SignedPayload: JSONModel {
  /// The member that holds the time of signing, in milliseconds.
  static var signedDateMember: String { get }
  /// What the payload says about itself.
  ///
  /// Throws ``SignedDataFailure/notificationShape(count:)`` when that is not one thing.
  func identity() throws(SignedDataFailure) -> PayloadIdentity
  /// A member that shows the payload to be of another kind, or nil.
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
  /// A transaction has fields in common with a renewal info, and would pass for an empty one.
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
      data.map {
        PayloadIdentity(
          environment: $0.environment, bundleID: .made($0.bundleID),
          appAppleID: .made($0.appAppleID))
      },
      summary.map {
        PayloadIdentity(
          environment: $0.environment, bundleID: .made($0.bundleID),
          appAppleID: .made($0.appAppleID))
      },
      externalPurchaseToken.map {
        PayloadIdentity(
          environment: $0.environment, bundleID: .made($0.bundleID),
          appAppleID: .made($0.appAppleID))
      },
      appData.map {
        PayloadIdentity(
          environment: $0.environment, bundleID: .made($0.bundleID),
          appAppleID: .made($0.appAppleID))
      },
    ].compactMap(\.self)
    guard identities.count == 1, let identity = identities.first else {
      throw .notificationShape(count: identities.count)
    }
    return identity
  }
}

extension ExternalPurchaseToken {
  /// The environment that the id stands for (contract, section 2.1).
  fileprivate var environment: AppStoreEnvironment {
    externalPurchaseID?.hasPrefix("SANDBOX") == true ? .sandbox : .production
  }
}
