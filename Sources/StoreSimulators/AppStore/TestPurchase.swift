internal import StorekeeperCrypto
public import ReceiptModels
internal import StorekeeperTesting

/// A transaction at an ``AppStoreSimulator``, with the receipt that the device had right after it.
public struct TestPurchase: Sendable, CustomStringConvertible, CustomReflectable {
  public let transactionID: String
  /// The identifier of the first charge of the subscription, or of this purchase.
  public let originalTransactionID: String
  /// The number of the order, which Apple mails to the customer; the order lookup takes it.
  public let orderID: String
  /// The identifier of the customer's copy of the app, which all their transactions share.
  public let appTransactionID: String
  public let productID: String
  /// The customer who bought it, or with whom it is shared.
  public let customer: String
  public let receiptContent: AppReceipt
  /// Apple's notification of the purchase.
  public let notification: TestNotification

  init(_ notification: TestNotification) {
    transactionID = String(notification.simulated.id)
    originalTransactionID = String(notification.simulated.originalID)
    orderID = notification.simulated.orderID
    appTransactionID = notification.moment.appTransactionID ?? ""
    productID = notification.simulated.product.id
    customer = notification.simulated.customer
    receiptContent = notification.appStore.receiptContent(at: notification.moment)
    self.notification = notification
  }

  /// The app receipt in base64, really signed by the simulator's authority; each call returns the
  /// same.
  public var receipt: String {
    get throws {
      Base64.encode(try notification.appStore.authority.sign(receiptContent), .standard)
    }
  }

  /// The product and the identifier, without the receipt.
  public var description: String { "TestPurchase(\(productID), \(transactionID))" }
  /// The members shown by ``description``.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "transactionID": transactionID, "originalTransactionID": originalTransactionID,
        "productID": productID, "customer": customer,
      ])
  }
}
