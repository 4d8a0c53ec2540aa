internal import HTTPMessages
internal import ReceiptModels

/// A call of Apple's server APIs.
///
/// Apple limits how often a server may make each call, so the limits and the pauses after an answer
/// "too many requests" are kept for each of these.
///
/// Source: Apple, "Identifying rate limits".
@nonexhaustive
public enum AppStoreServerEndpoint: String, Hashable, Sendable, CaseIterable {
  /// Transaction history of a customer.
  case transactionHistory
  /// One transaction.
  case transactionInfo
  /// The app transaction of a customer.
  case appTransactionInfo
  /// The statuses of all subscriptions of a customer.
  case allSubscriptionStatuses
  /// The refunded purchases of a customer.
  case refundHistory
  /// The purchases of an order number.
  case lookUpOrderID
  /// The end of the delivery of a purchase.
  case finishTransaction
  /// The account token of a purchase.
  case setAppAccountToken
  /// Consumption information, version 2.
  case sendConsumptionInformation
  /// Consumption data, version 1.
  case sendConsumptionData
  /// The extension of one subscription.
  case extendSubscriptionRenewalDate
  /// The extension of a product's subscriptions.
  case extendRenewalDateForAllActiveSubscribers
  /// The status of such an extension.
  case statusOfSubscriptionRenewalDateExtensions
  case notificationHistory
  case requestTestNotification
  case testNotificationStatus
  /// The groups of a customer.
  case currentGroups
  case groupMembers
  case uploadImage
  /// The removal of an image.
  case deleteImage
  case imageList
  case uploadMessage
  /// The removal of a message.
  case deleteMessage
  case messageList
  /// The choice of a default message.
  case configureDefaultMessage
  /// The chosen default message.
  case defaultMessage
  /// The removal of a default message.
  case deleteDefaultMessage
  /// The choice of the realtime URL.
  case configureRealtimeURL
  /// The chosen realtime URL.
  case realtimeURL
  /// The removal of the realtime URL.
  case deleteRealtimeURL
  /// The start of a performance test.
  case initiatePerformanceTest
  case performanceTestResults
  /// Advanced Commerce: the end of a subscription's renewal.
  case cancelSubscription
  /// Advanced Commerce: new descriptions of a subscription.
  case changeSubscriptionMetadata
  /// Advanced Commerce: new prices of a subscription.
  case changeSubscriptionPrice
  /// Advanced Commerce: the move of a subscription to that API.
  case migrateSubscription
  /// Advanced Commerce: the immediate end of a subscription.
  case revokeSubscription
  /// Advanced Commerce: a refund.
  case requestTransactionRefund
  case sendExternalPurchaseReport
  /// A report that was sent.
  case externalPurchaseReport
}

extension AppStoreServerEndpoint {
  /// The number of requests a second and app that Apple allows in Production, or nil if Apple names
  /// none.
  ///
  /// The Sandbox allows a tenth.
  public var documentedRate: Double? {
    switch self {
    case .transactionHistory, .transactionInfo, .appTransactionInfo, .allSubscriptionStatuses,
      .finishTransaction, .sendConsumptionInformation, .sendConsumptionData, .notificationHistory,
      .changeSubscriptionMetadata, .changeSubscriptionPrice, .migrateSubscription:
      50
    case .setAppAccountToken, .extendSubscriptionRenewalDate: 20
    case .refundHistory, .lookUpOrderID, .configureDefaultMessage: 10
    case .cancelSubscription, .revokeSubscription, .requestTransactionRefund: 5
    case .extendRenewalDateForAllActiveSubscribers, .requestTestNotification,
      .testNotificationStatus, .uploadImage, .deleteImage, .imageList, .uploadMessage,
      .deleteMessage, .messageList, .defaultMessage, .deleteDefaultMessage, .configureRealtimeURL,
      .realtimeURL, .deleteRealtimeURL, .initiatePerformanceTest, .performanceTestResults:
      1
    case .statusOfSubscriptionRenewalDateExtensions, .currentGroups, .groupMembers,
      .sendExternalPurchaseReport, .externalPurchaseReport:
      nil
    }
  }

  var method: HTTPRequestMethod {
    switch self {
    case .setAppAccountToken, .sendConsumptionInformation, .sendConsumptionData,
      .extendSubscriptionRenewalDate, .uploadImage, .uploadMessage, .configureDefaultMessage,
      .configureRealtimeURL, .sendExternalPurchaseReport:
      .put
    case .finishTransaction, .extendRenewalDateForAllActiveSubscribers, .notificationHistory,
      .requestTestNotification, .initiatePerformanceTest, .cancelSubscription,
      .changeSubscriptionMetadata, .changeSubscriptionPrice, .migrateSubscription,
      .revokeSubscription, .requestTransactionRefund:
      .post
    case .deleteImage, .deleteMessage, .deleteDefaultMessage, .deleteRealtimeURL: .delete
    case .transactionHistory, .transactionInfo, .appTransactionInfo, .allSubscriptionStatuses,
      .refundHistory, .lookUpOrderID, .statusOfSubscriptionRenewalDateExtensions,
      .testNotificationStatus, .currentGroups, .groupMembers, .imageList, .messageList,
      .defaultMessage, .realtimeURL, .performanceTestResults, .externalPurchaseReport:
      .get
    }
  }

  /// Whether the same request may be sent again if it is unknown whether Apple acted on the first.
  ///
  /// A report of external purchases is not: the caller reads it first.
  var isRepeatable: Bool {
    switch self {
    case .extendSubscriptionRenewalDate, .requestTestNotification, .initiatePerformanceTest,
      .sendExternalPurchaseReport:
      false
    default: true
    }
  }

  /// Whether the request reads by the identifier of a purchase, so that it can be repeated at the
  /// Sandbox when Production doesn't know the identifier.
  var canFallBack: Bool {
    switch self {
    case .transactionHistory, .transactionInfo, .appTransactionInfo, .allSubscriptionStatuses,
      .refundHistory, .currentGroups:
      true
    default: false
    }
  }

  /// Returns whether a refusal of a repeated request means that the first one arrived.
  func isArrival(_ code: AppStoreServerErrorCode) -> Bool {
    switch (self, code.rawValue) {
    case (.uploadImage, 4_090_000), (.uploadMessage, 4_090_001), (.deleteImage, 4_040_014),
      (.deleteMessage, 4_040_015):
      true
    default: false
    }
  }
}
