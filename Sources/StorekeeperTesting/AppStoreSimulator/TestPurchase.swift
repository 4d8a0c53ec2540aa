internal import StorekeeperCrypto
public import ReceiptModels

/// One transaction at an ``AppStoreSimulator``, with the receipt that the device had right after it.
public struct TestPurchase: Sendable, CustomStringConvertible, CustomReflectable {
  /// The identifier of this charge.
  public let transactionID: String
  /// The identifier of the first charge of the subscription, or of this purchase.
  public let originalTransactionID: String
  /// The product.
  public let productID: String
  /// Who bought it.
  public let customer: String
  /// What the receipt says.
  public let receiptContent: AppReceipt
  /// What Apple tells the app's server of it.
  public let notification: TestNotification

  init(_ notification: TestNotification) {
    transactionID = String(notification.simulated.id)
    originalTransactionID = String(notification.simulated.originalID)
    productID = notification.simulated.product.id
    customer = notification.simulated.customer
    receiptContent = notification.appStore.receiptContent(at: notification.moment)
    self.notification = notification
  }

  /// The app receipt in base64, really signed by the simulator's authority; the same at each call.
  ///
  /// - Throws: When OpenSSL refuses to sign.
  public var receipt: String {
    get throws {
      Base64.encode(try notification.appStore.authority.sign(receiptContent), .standard)
    }
  }

  /// The product and the identifier, never the receipt.
  public var description: String { "TestPurchase(\(productID), \(transactionID))" }
  /// What ``description`` shows.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "transactionID": transactionID, "originalTransactionID": originalTransactionID,
        "productID": productID, "customer": customer,
      ])
  }
}
