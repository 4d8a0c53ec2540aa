public import JSONValues
public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreServerClient {
  /// Tells Apple that a purchase was delivered, as the app does by finishing the transaction.
  ///
  /// Source: Apple, Finish Transaction.
  public func finishTransaction(
    _ id: String, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    let id = try transactionID(id, .finishTransaction)
    try await order(
      ServerRequest(.finishTransaction, ["inApps", "v1", "transactions", id, "finish"]),
      in: environment, patience: patience)
  }

  /// Sets the account token of a purchase that was made outside the app or with an offer code.
  ///
  /// The token replaces the former one, for the current transaction and later ones. Data that Apple
  /// signed before has the former one. Source: Apple, Set App Account Token.
  public func setAppAccountToken(
    _ token: UUID, of originalTransactionID: String, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    let id = try transactionID(
      originalTransactionID, .setAppAccountToken, field: "originalTransactionId")
    try await order(
      ServerRequest(
        .setAppAccountToken, ["inApps", "v1", "transactions", id, "appAccountToken"],
        sending: UpdateAppAccountTokenRequest(appAccountToken: token)),
      in: environment, patience: patience)
  }

  /// Answers Apple's request for consumption information about a purchase.
  ///
  /// The information is checked against the product's type, the ownership and Advanced Commerce.
  /// Source: Apple, Send Consumption Information; App Store Server API rules, section 5.6.
  public func sendConsumptionInformation(
    _ request: ConsumptionRequest, for transaction: Verified<Transaction>,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try checking(.sendConsumptionInformation) { () throws(InvalidRequest) in
      try request.validate(for: transaction.payload)
    }
    try await sendConsumptionInformation(
      request, forTransaction: transaction.payload.transactionID ?? "",
      in: transaction.environment, patience: patience)
  }

  /// Answers Apple's request for consumption information about a purchase by its ID.
  ///
  /// The product's type, the ownership and Advanced Commerce are *not* checked. Source: Apple, Send
  /// Consumption Information.
  public func sendConsumptionInformation(
    _ request: ConsumptionRequest, forTransaction transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try check(request, .sendConsumptionInformation)
    let id = try self.transactionID(transactionID, .sendConsumptionInformation)
    try await order(
      ServerRequest(
        .sendConsumptionInformation, ["inApps", "v2", "transactions", "consumption", id],
        sending: request), in: environment, patience: patience)
  }

  /// Answers Apple's request for consumption data about a purchase of Advanced Commerce.
  ///
  /// For all other purchases, use ``sendConsumptionInformation(_:for:patience:)``. Source: Apple,
  /// Send Consumption Information, version 1.
  public func sendConsumptionData(
    _ request: ConsumptionRequestV1, forTransaction transactionID: String,
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    try check(request, .sendConsumptionData)
    let id = try self.transactionID(transactionID, .sendConsumptionData)
    try await order(
      ServerRequest(
        .sendConsumptionData, ["inApps", "v1", "transactions", "consumption", id],
        sending: request), in: environment, patience: patience)
  }

  /// Answers Apple's request for consumption data about a purchase of Advanced Commerce.
  ///
  /// A purchase that is none of Advanced Commerce is refused. Source: Apple, Send Consumption
  /// Information, version 1; App Store Server API rules, section 5.6.
  public func sendConsumptionData(
    _ request: ConsumptionRequestV1, for transaction: Verified<Transaction>,
    patience: Duration? = nil
  ) async throws(AppStoreServerFailure) {
    guard transaction.payload.advancedCommerceInfo != nil else {
      throw AppStoreServerFailure(
        .invalidRequest(InvalidRequest("advancedCommerceInfo", .missing)),
        of: .sendConsumptionData)
    }
    try await sendConsumptionData(
      request, forTransaction: transaction.payload.transactionID ?? "",
      in: transaction.environment, patience: patience)
  }
}

/// A request to set the account of a purchase.
///
/// Source: Apple, `UpdateAppAccountTokenRequest`.
public struct UpdateAppAccountTokenRequest: CheckedRequest {
  public var appAccountToken: UUID = .zero
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a request.
  public init(appAccountToken: UUID) {
    self.appAccountToken = appAccountToken
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("appAccountToken", &appAccountToken)
  }

  /// Checks nothing, because every UUID is accepted.
  public func validate() throws(InvalidRequest) {}
}
