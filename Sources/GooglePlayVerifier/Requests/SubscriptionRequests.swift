public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The way in which a subscription is canceled; it runs until its expiry.
///
/// Of a plan of instalments the first one leaves the commitment as it is, and the second one ends it.
/// Source: Google Play Developer API, `CancellationContext`.
public struct CancellationType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Not accepted.
  public static let unspecified = Self(rawValue: "CANCELLATION_TYPE_UNSPECIFIED")
  /// On the user's behalf: the next renewal is stopped, and the user can turn it on again.
  public static let userRequestedStopRenewals = Self(rawValue: "USER_REQUESTED_STOP_RENEWALS")
  /// By the developer: the next payment is stopped, and the user cannot turn it on again.
  public static let developerRequestedStopPayments = Self(
    rawValue: "DEVELOPER_REQUESTED_STOP_PAYMENTS")

  public static let allCases: [Self] = [
    unspecified, userRequestedStopRenewals, developerRequestedStopPayments,
  ]
}

/// The money that a user gets back when a subscription is taken away.
///
/// Source: Google Play Developer API, `RevocationContext`.
public enum RevocationContext: Hashable, Sendable {
  /// The latest charge of each item.
  case fullRefund
  /// The part of the latest charge for the time that is left.
  case proratedRefund
  /// The latest charge of one item, which alone is taken away; the others stay.
  case itemBasedRefund(productID: String)
}

/// The expiry of an item after a deferral.
///
/// Source: Google Play Developer API, `ItemExpiryTimeDetails`.
public struct ItemExpiryTimeDetails: GoogleModel {
  public let json: JSONValue
  public let productID: String?
  public let expiryTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    productID = try members.text("productId")
    expiryTime = try members.time("expiryTime")
    self.json = json
  }
}

/// The expiries after a deferral.
package struct DeferSubscriptionPurchaseResponse: GoogleModel {
  package let json: JSONValue
  package let itemExpiryTimeDetails: [ItemExpiryTimeDetails]

  package init(json: JSONValue) throws(FieldTypeFailure) {
    itemExpiryTimeDetails = try MemberReader(json).models("itemExpiryTimeDetails")
    self.json = json
  }
}

/// A cancellation.
package struct CancelSubscriptionPurchaseRequest: CheckedPlayRequest {
  package var cancellationContext = Context()
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  package init(_ type: CancellationType) { cancellationContext.cancellationType = type }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("cancellationContext", &cancellationContext)
  }

  package func validate() throws(InvalidCall) {
    try PlayRequestCheck.known(cancellationContext.cancellationType, .cancellationType)
  }

  package struct Context: FieldModel, GoogleModel {
    package var cancellationType = CancellationType.unspecified
    package var additionalMembers: [String: JSONValue] = [:]
    package init() {}

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      try coder.required("cancellationType", &cancellationType)
    }
  }
}

/// A deferral of all items.
package struct DeferSubscriptionPurchaseRequest: CheckedPlayRequest {
  package var deferralContext = Context()
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("deferralContext", &deferralContext)
  }

  package func validate() throws(InvalidCall) {
    try PlayRequestCheck.text(deferralContext.etag, .etag)
    let duration = try PlayRequestCheck.required(deferralContext.deferDuration, .deferDuration)
    guard duration > .zero, duration <= Self.longest else { throw .notAccepted(.deferDuration) }
  }

  /// The maximum of a `google.protobuf.Duration`.
  private static let longest = Duration.seconds(315_576_000_000)

  package struct Context: FieldModel, GoogleModel {
    package var deferDuration: Duration?
    package var etag = ""
    package var validateOnly = false
    package var additionalMembers: [String: JSONValue] = [:]
    package init() {}

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      try coder.duration("deferDuration", &deferDuration)
      try coder.required("etag", &etag)
      try coder.preset("validateOnly", &validateOnly)
    }
  }
}

/// A revocation.
package struct RevokeSubscriptionPurchaseRequest: CheckedPlayRequest {
  package var revocationContext = Context()
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  package init(_ context: RevocationContext) {
    switch context {
    case .fullRefund: revocationContext.fullRefund = true
    case .proratedRefund: revocationContext.proratedRefund = true
    case .itemBasedRefund(let productID):
      revocationContext.itemBasedRefund = Item(productID: productID)
    }
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("revocationContext", &revocationContext)
  }

  package func validate() throws(InvalidCall) {
    guard let item = revocationContext.itemBasedRefund else { return }
    try PlayRequestCheck.text(item.productID, .productID)
  }

  /// The refund that is asked for; nil for none, or for several at once.
  package var kind: RevocationContext? {
    let context = revocationContext
    switch (context.fullRefund, context.proratedRefund, context.itemBasedRefund) {
    case (true, false, nil): return .fullRefund
    case (false, true, nil): return .proratedRefund
    case (false, false, let item?): return .itemBasedRefund(productID: item.productID)
    default: return nil
    }
  }

  package struct Context: FieldModel, GoogleModel {
    package var fullRefund = false
    package var proratedRefund = false
    package var itemBasedRefund: Item?
    package var additionalMembers: [String: JSONValue] = [:]
    package init() {}

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      try coder.mark("fullRefund", &fullRefund)
      try coder.mark("proratedRefund", &proratedRefund)
      try coder("itemBasedRefund", &itemBasedRefund)
    }
  }

  package struct Item: FieldModel, GoogleModel {
    package var productID = ""
    package var additionalMembers: [String: JSONValue] = [:]
    package init() {}

    package init(productID: String) { self.productID = productID }

    package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
      try coder.required("productId", &productID)
    }
  }
}
