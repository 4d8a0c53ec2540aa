internal import HTTPMessages
internal import ReceiptModels

/// A call of Apple's server APIs.
///
/// Apple limits how often a server may make each call, so the limits and the pauses after an answer
/// "too many requests" are kept for each of these. Source: Apple, "Identifying rate limits".
@nonexhaustive
public enum AppStoreServerEndpoint: String, Hashable, Sendable, CaseIterable {
  case transactionHistory
  case transactionInfo
  case appTransactionInfo
  case allSubscriptionStatuses
  case refundHistory
  case lookUpOrderID
  /// The end of the delivery of a purchase.
  case finishTransaction
  case setAppAccountToken
  case sendConsumptionInformation
  case sendConsumptionData
  case extendSubscriptionRenewalDate
  case extendRenewalDateForAllActiveSubscribers
  case statusOfSubscriptionRenewalDateExtensions
  case notificationHistory
  case requestTestNotification
  case testNotificationStatus
  case currentGroups
  case groupMembers
  case uploadImage
  case deleteImage
  case imageList
  case uploadMessage
  case deleteMessage
  case messageList
  case configureDefaultMessage
  case defaultMessage
  case deleteDefaultMessage
  case configureRealtimeURL
  case realtimeURL
  case deleteRealtimeURL
  case initiatePerformanceTest
  case performanceTestResults
  case cancelSubscription
  case changeSubscriptionMetadata
  case changeSubscriptionPrice
  case migrateSubscription
  case revokeSubscription
  case requestTransactionRefund
  case sendExternalPurchaseReport
  case externalPurchaseReport

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
