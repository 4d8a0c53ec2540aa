extension VerifyReceiptResponse.Receipt {
  /// Creates an answer from a decoded app receipt, as far as the receipt has the information.
  ///
  /// A receipt does not know the date of Apple's answer, nor what Apple stores about transactions
  /// elsewhere (see ``ReceiptTransaction/init(_:)``). The fields were compared with Apple's own
  /// answers for the same receipts.
  ///
  /// Source: App Store rules, section 6.5.
  public init(_ receipt: AppReceipt) {
    self.init()
    receiptType = receipt.receiptType
    bundleID = receipt.bundleID
    adamID = receipt.appItemID
    appItemID = receipt.appItemID
    applicationVersion = receipt.applicationVersion
    originalApplicationVersion = receipt.originalApplicationVersion
    downloadID = receipt.downloadID
    versionExternalIdentifier = receipt.versionExternalIdentifier
    receiptCreationDate = receipt.creationDate
    originalPurchaseDate = receipt.originalPurchaseDate
    expirationDate = receipt.expirationDate
    inApp = receipt.purchases.map(ReceiptTransaction.init)
  }
}

extension ReceiptTransaction {
  /// Creates a transaction from a purchase in an app receipt, as far as the receipt has the
  /// information.
  ///
  /// A receipt does not know upgrades, the subscription group, the offer code, the account that the
  /// app set, the family ownership, or the reason for a cancellation.
  ///
  /// Source: App Store rules, section 6.5.
  public init(_ purchase: AppReceipt.Purchase) {
    self.init()
    quantity = purchase.quantity
    productID = purchase.productID
    transactionID = purchase.transactionID
    originalTransactionID = purchase.originalTransactionID
    purchaseDate = purchase.purchaseDate
    originalPurchaseDate = purchase.originalPurchaseDate
    expiresDate = purchase.expiresDate
    cancellationDate = purchase.cancellationDate
    isTrialPeriod = purchase.isTrialPeriod
    isInIntroOfferPeriod = purchase.isInIntroOfferPeriod
    promotionalOfferID = purchase.promotionalOfferID
    // 0 stands for none, and Apple's answer then has no such member.
    if let number = purchase.webOrderLineItemID, number != 0 {
      webOrderLineItemID = String(number)
    }
  }
}
