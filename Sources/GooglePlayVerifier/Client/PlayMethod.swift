/// A method of Google that the client calls, under Google's name.
///
/// Google's deprecated `purchases.subscriptions.cancel` and `defer` are not called; their newer forms are.
package enum PlayMethod: String, Hashable, Sendable, CaseIterable {
  case getSubscription = "purchases.subscriptionsv2.get"
  case cancelSubscription = "purchases.subscriptionsv2.cancel"
  case deferSubscription = "purchases.subscriptionsv2.defer"
  case revokeSubscription = "purchases.subscriptionsv2.revoke"
  case acknowledgeSubscription = "purchases.subscriptions.acknowledge"
  case getProduct = "purchases.productsv2.getproductpurchasev2"
  case getOlderProduct = "purchases.products.get"
  case acknowledgeProduct = "purchases.products.acknowledge"
  case consumeProduct = "purchases.products.consume"
  case listVoidedPurchases = "purchases.voidedpurchases.list"
  case getOrder = "orders.get"
  case batchGetOrders = "orders.batchget"
  case refundOrder = "orders.refund"
  case reviewRefund = "orders.reviewrefund"
  case createExternalTransaction = "externaltransactions.createexternaltransaction"
  case getExternalTransaction = "externaltransactions.getexternaltransaction"
  case refundExternalTransaction = "externaltransactions.refundexternaltransaction"
  case getSubscriptionProduct = "monetization.subscriptions.get"
  case listSubscriptionProducts = "monetization.subscriptions.list"
  case getOneTimeProduct = "monetization.onetimeproducts.get"
  case listOneTimeProducts = "monetization.onetimeproducts.list"

  /// Whether the same request may be sent again if it is unknown whether Google acted on the first.
  ///
  /// It may where a second request changes nothing and succeeds too. Google refuses a second refund, revocation,
  /// deferral and report, so that the refusal would hide the success: the caller reads first how it stands.
  /// Source: Google Play rules, section 8.1.
  package var isRepeatable: Bool {
    switch self {
    case .deferSubscription, .revokeSubscription, .refundOrder, .reviewRefund,
      .createExternalTransaction, .refundExternalTransaction:
      false
    case .getSubscription, .cancelSubscription, .acknowledgeSubscription, .getProduct,
      .getOlderProduct, .acknowledgeProduct, .consumeProduct, .listVoidedPurchases, .getOrder,
      .batchGetOrders, .getExternalTransaction, .getSubscriptionProduct,
      .listSubscriptionProducts, .getOneTimeProduct, .listOneTimeProducts:
      true
    }
  }
}
