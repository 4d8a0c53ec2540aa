import AppStoreServerAPI
import JSONValues
import ReceiptModels

/// The models of Apple's payloads, answers and requests, by the names of Apple's library, and the vocabularies.
let apple: VendorModels = {
  var apple = VendorModels()
  apple.addPayloads()
  apple.addAnswers()
  apple.addRequests()
  apple.addAdvancedCommerce()
  apple.addPurchaseValues()
  apple.addRequestValues()
  apple.addMessagingValues()
  return apple
}()

extension VendorModels {
  fileprivate mutating func addPayloads() {
    add("JWSTransactionDecodedPayload", Transaction.self)
    add("JWSRenewalInfoDecodedPayload", RenewalInfo.self)
    add("AppTransaction", AppTransaction.self)
    add("ResponseBodyV2", SignedPayloadBody.self)
    add("ResponseBodyV2DecodedPayload", ServerNotification.self)
    add("RealtimeRequestBody", SignedPayloadBody.self)
    add("DecodedRealtimeRequestBody", RealtimeRequest.self)
    add("RealtimeResponseBody", RealtimeResponse.self)
  }

  fileprivate mutating func addAnswers() {
    add("AppTransactionInfoResponse", AppTransactionInfoResponse.self)
    add("CheckTestNotificationResponse", CheckTestNotificationResponse.self)
    add("DefaultConfigurationResponse", DefaultMessageResponse.self)
    add("ExtendRenewalDateResponse", ExtendRenewalDateResponse.self)
    add("GetImageListResponse", ImageListResponse.self)
    add("GetMessageListResponse", MessageListResponse.self)
    add("HistoryResponse", HistoryResponse.self)
    add("MassExtendRenewalDateResponse", MassExtendRenewalDateResponse.self)
    add("MassExtendRenewalDateStatusResponse", MassExtendRenewalDateStatusResponse.self)
    add("NotificationHistoryResponse", NotificationHistoryResponse.self)
    add("OrderLookupResponse", OrderLookupResponse.self)
    add("PerformanceTestResponse", PerformanceTestResponse.self)
    add("PerformanceTestResultResponse", PerformanceTestResultResponse.self)
    add("RealtimeUrlResponse", RealtimeURLResponse.self)
    add("RefundHistoryResponse", RefundHistoryResponse.self)
    add("SendTestNotificationResponse", SendTestNotificationResponse.self)
    add("StatusResponse", StatusResponse.self)
    add("TransactionInfoResponse", TransactionInfoResponse.self)
  }

  fileprivate mutating func addRequests() {
    add("ConsumptionRequest", ConsumptionRequest.self)
    add("ConsumptionRequestV1", ConsumptionRequestV1.self)
    add("DefaultConfigurationRequest", DefaultMessageRequest.self)
    add("ExtendRenewalDateRequest", ExtendRenewalDateRequest.self)
    add("MassExtendRenewalDateRequest", MassExtendRenewalDateRequest.self)
    add("NotificationHistoryRequest", NotificationHistoryRequest.self)
    add("PerformanceTestRequest", PerformanceTestRequest.self)
    add("RealtimeUrlRequest", RealtimeURLRequest.self)
    add("UpdateAppAccountTokenRequest", UpdateAppAccountTokenRequest.self)
    add("UploadMessageRequestBody", UploadMessageRequest.self)
  }

  fileprivate mutating func addAdvancedCommerce() {
    add(
      "AdvancedCommerceOneTimeChargeCreateRequest",
      AdvancedCommerceOneTimeChargeCreateRequest.self)
    add(
      "AdvancedCommerceSubscriptionCreateRequest", AdvancedCommerceSubscriptionCreateRequest.self)
    add(
      "AdvancedCommerceSubscriptionModifyInAppRequest",
      AdvancedCommerceSubscriptionModifyInAppRequest.self)
    add(
      "AdvancedCommerceSubscriptionReactivateInAppRequest",
      AdvancedCommerceSubscriptionReactivateInAppRequest.self)
    add("AdvancedCommerceRequestRefundRequest", AdvancedCommerceRequestRefundRequest.self)
    add(
      "AdvancedCommerceSubscriptionCancelRequest", AdvancedCommerceSubscriptionCancelRequest.self)
    add(
      "AdvancedCommerceSubscriptionChangeMetadataRequest",
      AdvancedCommerceSubscriptionChangeMetadataRequest.self)
    add(
      "AdvancedCommerceSubscriptionMigrateRequest", AdvancedCommerceSubscriptionMigrateRequest.self)
    add(
      "AdvancedCommerceSubscriptionPriceChangeRequest",
      AdvancedCommerceSubscriptionPriceChangeRequest.self)
    add(
      "AdvancedCommerceSubscriptionRevokeRequest", AdvancedCommerceSubscriptionRevokeRequest.self)
    for name in [
      "RequestRefund", "SubscriptionCancel", "SubscriptionChangeMetadata", "SubscriptionMigrate",
      "SubscriptionPriceChange", "SubscriptionRevoke",
    ] {
      add("AdvancedCommerce\(name)Response", AdvancedCommerceResponse.self)
    }
    add("AdvancedCommerceEffective", AdvancedCommerceEffective.self)
    add("AdvancedCommerceOfferPeriod", AdvancedCommerceOfferPeriod.self)
    add("AdvancedCommerceOfferReason", AdvancedCommerceOfferReason.self)
    add("AdvancedCommercePeriod", AdvancedCommercePeriod.self)
    add("AdvancedCommercePriceIncreaseInfoStatus", AdvancedCommercePriceIncreaseStatus.self)
    add("AdvancedCommerceReason", AdvancedCommerceReason.self)
    add("AdvancedCommerceRefundReason", AdvancedCommerceRefundReason.self)
    add("AdvancedCommerceRefundType", AdvancedCommerceRefundType.self)
  }

  fileprivate mutating func addPurchaseValues() {
    add("AutoRenewStatus", AutoRenewStatus.self)
    add("BillingPlanType", BillingPlanType.self)
    add("ConsumptionRequestReason", ConsumptionRequestReason.self)
    add("Environment", AppStoreEnvironment.self)
    add("ExpirationIntent", ExpirationIntent.self)
    add("InAppOwnershipType", InAppOwnershipType.self)
    add("NotificationTypeV2", NotificationType.self)
    add("OfferDiscountType", OfferDiscountType.self)
    add("OfferType", OfferType.self)
    add("PriceIncreaseStatus", PriceIncreaseStatus.self)
    add("PurchasePlatform", PurchasePlatform.self)
    add("RenewalBillingPlanType", BillingPlanType.self)
    add("RevocationReason", RevocationReason.self)
    add("RevocationType", RevocationType.self)
    add("Status", SubscriptionStatus.self)
    add("Subtype", NotificationSubtype.self)
    add("TransactionReason", TransactionReason.self)
    add("Type", ProductType.self)
  }

  fileprivate mutating func addRequestValues() {
    add("AccountTenure", AccountTenure.self)
    add("ConsumptionStatus", ConsumptionStatus.self)
    add("DeliveryStatus", DeliveryStatus.self)
    add("DeliveryStatusV1", DeliveryStatusV1.self)
    add("ExtendReasonCode", ExtendReasonCode.self)
    add("LifetimeDollarsPurchased", LifetimeDollarsPurchased.self)
    add("LifetimeDollarsRefunded", LifetimeDollarsRefunded.self)
    add("Order", HistorySort.self)
    add("OrderLookupStatus", OrderLookupStatus.self)
    add("Platform", ConsumptionPlatform.self)
    add("PlayTime", PlayTime.self)
    add("ProductType", HistoryProductType.self)
    add("RefundPreference", RefundPreference.self)
    add("RefundPreferenceV1", RefundPreferenceV1.self)
    add("UserStatus", UserStatus.self)
  }

  fileprivate mutating func addMessagingValues() {
    add("FirstSendAttemptResult", SendAttemptResult.self)
    add("HeaderPosition", HeaderPosition.self)
    add("ImageSize", ImageSize.self)
    add("ImageState", ImageState.self)
    add("MessageState", MessageState.self)
    add("PerformanceTestStatus", PerformanceTestStatus.self)
    add("SendAttemptResult", SendAttemptResult.self)
  }

  private mutating func add<Value: StringVocabulary>(_ name: String, _ type: Value.Type) {
    add(values: Value.allCases.map { .string($0.rawValue) }, of: name)
  }

  private mutating func add<Value: IntegerVocabulary>(_ name: String, _ type: Value.Type) {
    add(values: Value.allCases.map { .integer($0.rawValue) }, of: name)
  }
}
