import GooglePlayVerifier
import JSONValues
import ReceiptModels

/// The models of GooglePlayVerifier, by the names of Google's schemas, and the vocabularies of their members.
let google: VendorModels = {
  var google = VendorModels()
  google.add("SubscriptionPurchaseV2", SubscriptionPurchaseV2.self)
  google.add("ProductPurchaseV2", ProductPurchaseV2.self)
  google.add("ProductPurchase", ProductPurchase.self)
  google.add("VoidedPurchasesListResponse", VoidedPurchasesPage.self)
  google.add("Order", PlayOrder.self)
  google.add("BatchGetOrdersResponse", BatchGetOrdersResponse.self)
  google.add("ExternalTransaction", ExternalTransaction.self)
  google.add("Subscription", PlaySubscriptionProduct.self)
  google.add("ListSubscriptionsResponse", SubscriptionProductsPage.self)
  google.add("OneTimeProduct", PlayOneTimeProduct.self)
  google.add("ListOneTimeProductsResponse", OneTimeProductsPage.self)
  google.add("DeferSubscriptionPurchaseResponse", DeferSubscriptionPurchaseResponse.self)
  google.add("RefundExternalTransactionRequest", RefundExternalTransactionRequest.self)
  google.add("OrdersReviewRefundRequest", OrdersReviewRefundRequest.self)
  google.add("ProductPurchasesAcknowledgeRequest", ProductPurchasesAcknowledgeRequest.self)
  google.add(
    "SubscriptionPurchasesAcknowledgeRequest", SubscriptionPurchasesAcknowledgeRequest.self)
  google.add("CancelSubscriptionPurchaseRequest", CancelSubscriptionPurchaseRequest.self)
  google.add("DeferSubscriptionPurchaseRequest", DeferSubscriptionPurchaseRequest.self)
  google.add("RevokeSubscriptionPurchaseRequest", RevokeSubscriptionPurchaseRequest.self)
  google.addSubscriptionValues()
  google.addProductValues()
  google.addOrderValues()
  google.addExternalTransactionValues()
  google.addCatalogValues()
  google.add(values: PlayMethod.allCases.map { .string($0.rawValue) }, of: "methods")
  return google
}()

extension VendorModels {
  /// Adds the values of a member, which are those of its type.
  private mutating func add<Root, Value: StringVocabulary>(
    _ name: String, _ member: KeyPath<Root, Value?>
  ) {
    add(values: Value.allCases.map { .string($0.rawValue) }, of: name)
  }

  private mutating func add<Root, Value: StringVocabulary>(
    _ name: String, _ member: KeyPath<Root, Value>
  ) {
    add(values: Value.allCases.map { .string($0.rawValue) }, of: name)
  }

  fileprivate mutating func addSubscriptionValues() {
    add(
      "SubscriptionPurchaseV2.subscriptionState", \SubscriptionPurchaseV2.subscriptionState)
    add(
      "SubscriptionPurchaseV2.acknowledgementState", \SubscriptionPurchaseV2.acknowledgementState)
    add("CancelSurveyResult.reason", \CancelSurveyResult.reason)
    add("ItemReplacement.replacementMode", \ItemReplacement.replacementMode)
    add("SubscriptionItemPriceChangeDetails.priceChangeMode", \PriceChangeDetails.priceChangeMode)
    add(
      "SubscriptionItemPriceChangeDetails.priceChangeState", \PriceChangeDetails.priceChangeState)
    add("PriceStepUpConsentDetails.state", \PriceStepUpConsentDetails.state)
    add(
      "ProrationPeriodOfferPhase.originalOfferPhaseType",
      \ProrationPeriodOfferPhase.originalOfferPhaseType)
    add(
      "CancellationContext.cancellationType",
      \CancelSubscriptionPurchaseRequest.Context.cancellationType)
  }

  fileprivate mutating func addProductValues() {
    add("ProductPurchaseV2.acknowledgementState", \ProductPurchaseV2.acknowledgementState)
    add("PurchaseStateContext.purchaseState", \PurchaseStateContext.purchaseState)
    add("TestPurchaseContext.fopType", \TestPurchaseContext.fopType)
    add("ProductOfferDetails.consumptionState", \ProductOfferDetails.consumptionState)
  }

  fileprivate mutating func addOrderValues() {
    add("Order.state", \PlayOrder.state)
    add("Order.salesChannel", \PlayOrder.salesChannel)
    add("PartialRefundEvent.state", \PlayOrder.PartialRefundEvent.state)
    add("RefundEvent.refundReason", \PlayOrder.RefundEvent.refundReason)
    add("SubscriptionDetails.offerPhase", \PlayOrder.SubscriptionDetails.offerPhase)
    add("ProrationPeriodDetails.originalOfferPhase", \ProrationPeriodDetails.originalOfferPhase)
    add(
      "OrdersReviewRefundRequest.refundPreference", \OrdersReviewRefundRequest.refundPreference)
  }

  fileprivate mutating func addExternalTransactionValues() {
    add("ExternalTransaction.transactionState", \ExternalTransaction.transactionState)
    add("ExternalSubscription.subscriptionType", \ExternalSubscription.subscriptionType)
    add(
      "RecurringExternalTransaction.migratedTransactionProgram",
      \RecurringExternalTransaction.migratedTransactionProgram)
    add("ExternalOfferDetails.linkType", \ExternalOfferDetails.linkType)
    add("ExternalOfferDetails.installedAppCategory", \ExternalOfferDetails.installedAppCategory)
    add("ExternalContentLinkDetails.linkType", \ExternalContentLinkDetails.linkType)
    add(
      "ExternalContentLinkDetails.externalAppCategory",
      \ExternalContentLinkDetails.externalAppCategory)
  }

  fileprivate mutating func addCatalogValues() {
    typealias Settings = TaxAndComplianceSettings
    typealias Product = PlayOneTimeProduct
    add("BasePlan.state", \BasePlan.state)
    add("AutoRenewingBasePlanType.prorationMode", \BasePlan.AutoRenewing.prorationMode)
    add("AutoRenewingBasePlanType.resubscribeState", \BasePlan.AutoRenewing.resubscribeState)
    add("InstallmentsBasePlanType.prorationMode", \BasePlan.Installments.prorationMode)
    add("InstallmentsBasePlanType.resubscribeState", \BasePlan.Installments.resubscribeState)
    add("InstallmentsBasePlanType.renewalType", \BasePlan.Installments.renewalType)
    add("PrepaidBasePlanType.timeExtension", \BasePlan.Prepaid.timeExtension)
    add(
      "SubscriptionTaxAndComplianceSettings.eeaWithdrawalRightType",
      \Settings.eeaWithdrawalRightType)
    add(
      "PurchaseOptionTaxAndComplianceSettings.withdrawalRightType",
      \PurchaseOptionCompliance.withdrawalRightType)
    add(
      "RegionalProductAgeRatingInfo.productAgeRatingTier", \Settings.RegionalProductAgeRating.tier)
    for schema in ["RegionalTaxRateInfo", "RegionalTaxConfig"] {
      add(schema + ".taxTier", \Settings.RegionalTax.taxTier)
      add(schema + ".streamingTaxType", \Settings.RegionalTax.streamingTaxType)
    }
    add("OneTimeProductPurchaseOption.state", \Product.PurchaseOption.state)
    add(
      "OneTimeProductPurchaseOptionNewRegionsConfig.availability",
      \Product.NewRegionsConfig.availability)
    add(
      "OneTimeProductPurchaseOptionRegionalPricingAndAvailabilityConfig.availability",
      \Product.RegionalConfig.availability)
  }
}
