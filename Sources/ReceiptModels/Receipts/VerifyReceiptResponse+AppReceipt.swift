extension VerifyReceiptResponse.Receipt {
  /// Shows a decoded app receipt in the form of verifyReceipt, as far as the receipt knows.
  ///
  /// It cannot know when Apple was asked, nor anything that Apple keeps about transactions elsewhere
  /// (``ReceiptTransaction/init(_:)``).
  ///
  /// Source: contract on signed data, section 6.5; the fields were compared with Apple's own answers
  /// for the same receipts.
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
  /// Shows a purchase of an app receipt in the form of verifyReceipt, as far as the receipt knows.
  ///
  /// It cannot know whether the purchase was upgraded, its subscription group, the offer code, the
  /// account that the app named, who owns it in a family, nor why it was cancelled.
  ///
  /// Source: contract on signed data, section 6.5.
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
    // 0 stands for none, and Apple's answer has no such member then.
    if let number = purchase.webOrderLineItemID, number != 0 {
      webOrderLineItemID = String(number)
    }
  }
}
