import ReceiptModels

/// The tables of documented fields, in the contract's order and with its wire codes.
extension ContractModel {
  // MARK: Transaction

  static let transaction = ContractModel(
    Transaction.self,
    Field.s(
      "transactionId", "originalTransactionId", "previousOriginalTransactionId",
      "webOrderLineItemId", "bundleId", "productId", "subscriptionGroupIdentifier",
      "offerIdentifier", "offerPeriod", "storefront", "storefrontId", "currency",
      "appTransactionId"),
    Field.d("purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate", "signedDate"),
    Field.i("quantity", "price", "revocationPercentage"),
    Field.b("isUpgraded"),
    Field.u("appAccountToken"),
    Field.es(
      "type", "inAppOwnershipType", "environment", "transactionReason", "offerDiscountType",
      "revocationType", "billingPlanType"),
    Field.ei("offerType", "revocationReason"),
    Field.object("commitmentInfo", transactionCommitmentInfo),
    Field.object("advancedCommerceInfo", advancedCommerceTransactionInfo))

  static let transactionCommitmentInfo = ContractModel(
    TransactionCommitmentInfo.self,
    Field.i("billingPeriodNumber", "totalBillingPeriods", "commitmentPrice"),
    Field.d("commitmentExpiresDate"))

  static let advancedCommerceTransactionInfo = ContractModel(
    AdvancedCommerceTransactionInfo.self,
    Field.object("descriptors", advancedCommerceDescriptors),
    Field.i("estimatedTax", "taxExclusivePrice"),
    Field.s("requestReferenceId", "taxCode", "taxRate"),
    Field.es("period"),
    Field.list("items", advancedCommerceTransactionItem))

  static let advancedCommerceDescriptors = ContractModel(
    AdvancedCommerceDescriptors.self, Field.s("description", "displayName").required)

  static let advancedCommerceTransactionItem = ContractModel(
    AdvancedCommerceTransactionItem.self,
    Field.s("SKU", "description", "displayName"),
    Field.i("price"),
    Field.d("revocationDate"),
    Field.object("offer", advancedCommerceOffer),
    Field.list("refunds", advancedCommerceRefund))

  static let advancedCommerceRefund = ContractModel(
    AdvancedCommerceRefund.self,
    Field.i("refundAmount"),
    Field.d("refundDate"),
    Field.es("refundReason", "refundType"))

  static let advancedCommerceOffer = ContractModel(
    AdvancedCommerceOffer.self,
    Field.es("period", "reason").required,
    Field.i("periodCount", "price").required)

  // MARK: Renewal info

  static let renewalInfo = ContractModel(
    RenewalInfo.self,
    Field.s(
      "originalTransactionId", "productId", "autoRenewProductId", "offerIdentifier",
      "offerPeriod", "currency", "appTransactionId"),
    Field.strings("eligibleWinBackOfferIds"),
    Field.d("gracePeriodExpiresDate", "recentSubscriptionStartDate", "renewalDate", "signedDate"),
    Field.i("renewalPrice"),
    Field.b("isInBillingRetryPeriod"),
    Field.u("appAccountToken"),
    Field.es("environment", "offerDiscountType", "renewalBillingPlanType"),
    Field.ei("autoRenewStatus", "expirationIntent", "priceIncreaseStatus", "offerType"),
    Field.object("commitmentInfo", renewalCommitmentInfo),
    Field.object("advancedCommerceInfo", advancedCommerceRenewalInfo))

  static let renewalCommitmentInfo = ContractModel(
    RenewalCommitmentInfo.self,
    Field.s("commitmentAutoRenewProductId"),
    Field.ei("commitmentAutoRenewStatus"),
    Field.es("commitmentRenewalBillingPlanType"),
    Field.d("commitmentRenewalDate"),
    Field.i("commitmentRenewalPrice"))

  static let advancedCommerceRenewalInfo = ContractModel(
    AdvancedCommerceRenewalInfo.self,
    Field.s("consistencyToken", "requestReferenceId", "taxCode"),
    Field.object("descriptors", advancedCommerceDescriptors),
    Field.es("period"),
    Field.list("items", advancedCommerceRenewalItem))

  static let advancedCommerceRenewalItem = ContractModel(
    AdvancedCommerceRenewalItem.self,
    Field.s("SKU", "description", "displayName"),
    Field.i("price"),
    Field.object("offer", advancedCommerceOffer),
    Field.object("priceIncreaseInfo", advancedCommercePriceIncreaseInfo))

  static let advancedCommercePriceIncreaseInfo = ContractModel(
    AdvancedCommercePriceIncreaseInfo.self,
    Field.strings("dependentSKUs"),
    Field.i("price"),
    Field.es("status"))

  // MARK: App transaction

  static let appTransaction = ContractModel(
    AppTransaction.self,
    Field.es("receiptType", "originalPlatform"),
    Field.i("appAppleId", "versionExternalIdentifier"),
    Field.s(
      "bundleId", "applicationVersion", "originalApplicationVersion", "appTransactionId",
      "deviceVerification"),
    Field.u("deviceVerificationNonce"),
    Field.d("receiptCreationDate", "originalPurchaseDate", "preorderDate"))

  // MARK: Notification

  static let signedPayloadBody = ContractModel(
    SignedPayloadBody.self, Field.j("signedPayload").required)

  static let serverNotification = ContractModel(
    ServerNotification.self,
    Field.es("notificationType", "subtype"),
    Field.s("notificationUUID", "version"),
    Field.d("signedDate"),
    Field.object("data", notificationData),
    Field.object("summary", notificationSummary),
    Field.object("externalPurchaseToken", externalPurchaseToken),
    Field.object("appData", notificationAppData))

  static let notificationData = ContractModel(
    NotificationData.self,
    Field.es("environment", "consumptionRequestReason"),
    Field.ei("status"),
    Field.i("appAppleId"),
    Field.s("bundleId", "bundleVersion"),
    Field.j("signedTransactionInfo", "signedRenewalInfo"))

  static let notificationSummary = ContractModel(
    NotificationSummary.self,
    Field.es("environment"),
    Field.i("appAppleId", "succeededCount", "failedCount"),
    Field.s("bundleId", "productId", "requestIdentifier"),
    Field.strings("storefrontCountryCodes"))

  static let externalPurchaseToken = ContractModel(
    ExternalPurchaseToken.self,
    Field.s("externalPurchaseId", "bundleId"),
    Field.i("appAppleId"),
    Field.d("tokenCreationDate", "tokenExpirationDate"),
    Field.es("tokenType"))

  static let notificationAppData = ContractModel(
    NotificationAppData.self,
    Field.i("appAppleId"),
    Field.s("bundleId"),
    Field.es("environment"),
    Field.j("signedAppTransactionInfo"))

  // MARK: Realtime retention

  static let realtimeRequest = ContractModel(
    RealtimeRequest.self,
    Field.s("originalTransactionId", "productId", "userLocale").required,
    Field.i("appAppleId").required,
    Field.u("requestIdentifier").required,
    Field.d("signedDate").required,
    Field.es("environment").required)

  static let realtimeMessage = ContractModel(RealtimeMessage.self, Field.u("messageIdentifier"))

  static let realtimeAlternateProduct = ContractModel(
    RealtimeAlternateProduct.self,
    Field.u("messageIdentifier"), Field.s("productId"), Field.es("billingPlanType"))

  static let realtimePromotionalOffer = ContractModel(
    RealtimePromotionalOffer.self,
    Field.u("messageIdentifier"),
    Field.s("promotionalOfferSignatureV2"),
    Field.object("promotionalOfferSignatureV1", promotionalOfferSignatureV1))

  static let promotionalOfferSignatureV1 = ContractModel(
    PromotionalOfferSignatureV1.self,
    Field.s("encodedSignature", "productId").required,
    Field.u("nonce").required,
    Field.i("timestamp").required,
    Field.s("keyId", "offerIdentifier").required,
    Field.u("appAccountToken"))

  static let realtimeAdvancedCommerceInfo = ContractModel(
    RealtimeAdvancedCommerceInfo.self,
    Field.u("messageIdentifier"), Field.s("advancedCommerceData"))

  // MARK: In-app requests of Advanced Commerce

  static let advancedCommerceRequestInfo = ContractModel(
    AdvancedCommerceRequestInfo.self,
    Field.u("requestReferenceId").required,
    Field.u("appAccountToken"),
    Field.s("consistencyToken"))

  private static func common(_ operation: String) -> [Field] {
    [
      Field(name: "operation", shape: .preset(operation)),
      Field(name: "version", shape: .preset("1")),
    ]
      + Field.object("requestInfo", advancedCommerceRequestInfo).required
      + Field.s("storefront")
  }

  static let oneTimeChargeCreateRequest = ContractModel(
    AdvancedCommerceOneTimeChargeCreateRequest.self,
    common("CREATE_ONE_TIME_CHARGE"),
    Field.s("currency").required,
    Field.object("item", oneTimeChargeItem).required,
    Field.s("taxCode").required)

  static let oneTimeChargeItem = ContractModel(
    AdvancedCommerceOneTimeChargeItem.self,
    Field.s("SKU", "description", "displayName").required,
    Field.i("price").required)

  static let subscriptionCreateRequest = ContractModel(
    AdvancedCommerceSubscriptionCreateRequest.self,
    common("CREATE_SUBSCRIPTION"),
    Field.s("currency").required,
    Field.object("descriptors", advancedCommerceDescriptors).required,
    Field.list("items", subscriptionCreateItem).required,
    Field.es("period").required,
    Field.s("previousTransactionId"),
    Field.s("taxCode").required)

  static let subscriptionCreateItem = ContractModel(
    AdvancedCommerceSubscriptionCreateItem.self,
    oneTimeChargeItem.fields,
    Field.object("offer", advancedCommerceOffer))

  static let subscriptionModifyRequest = ContractModel(
    AdvancedCommerceSubscriptionModifyInAppRequest.self,
    common("MODIFY_SUBSCRIPTION"),
    Field.s("transactionId").required,
    Field.b("retainBillingCycle").required,
    Field.list("addItems", subscriptionAddItem),
    Field.list("changeItems", subscriptionChangeItem),
    Field.list("removeItems", itemReference),
    Field.object("periodChange", periodChange),
    Field.object("descriptors", descriptorsChange),
    Field.s("currency", "taxCode"))

  static let subscriptionAddItem = ContractModel(
    AdvancedCommerceSubscriptionAddItem.self,
    subscriptionCreateItem.fields,
    Field.i("proratedPrice"))

  static let subscriptionChangeItem = ContractModel(
    AdvancedCommerceSubscriptionChangeItem.self,
    subscriptionAddItem.fields,
    Field.s("currentSKU").required,
    Field.es("effective", "reason").required)

  static let itemReference = ContractModel(
    AdvancedCommerceItemReference.self, Field.s("SKU").required)

  static let periodChange = ContractModel(
    AdvancedCommercePeriodChange.self, Field.es("period", "effective").required)

  static let descriptorsChange = ContractModel(
    AdvancedCommerceDescriptorsChange.self,
    Field.s("description", "displayName"),
    Field.es("effective").required)

  static let subscriptionReactivateRequest = ContractModel(
    AdvancedCommerceSubscriptionReactivateInAppRequest.self,
    common("REACTIVATE_SUBSCRIPTION"),
    Field.s("transactionId").required,
    Field.list("items", itemReference))

  // MARK: All

  static let all: [ContractModel] = [
    transaction, transactionCommitmentInfo, advancedCommerceTransactionInfo,
    advancedCommerceDescriptors, advancedCommerceTransactionItem, advancedCommerceRefund,
    advancedCommerceOffer, renewalInfo, renewalCommitmentInfo, advancedCommerceRenewalInfo,
    advancedCommerceRenewalItem, advancedCommercePriceIncreaseInfo, appTransaction,
    signedPayloadBody, serverNotification, notificationData, notificationSummary,
    externalPurchaseToken, notificationAppData, realtimeRequest, realtimeMessage,
    realtimeAlternateProduct, realtimePromotionalOffer, promotionalOfferSignatureV1,
    realtimeAdvancedCommerceInfo, advancedCommerceRequestInfo, oneTimeChargeCreateRequest,
    oneTimeChargeItem, subscriptionCreateRequest, subscriptionCreateItem,
    subscriptionModifyRequest, subscriptionAddItem, subscriptionChangeItem, itemReference,
    periodChange, descriptorsChange, subscriptionReactivateRequest,
  ]
}
