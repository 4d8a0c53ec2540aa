import Foundation
import JSONValues
import ReceiptModels
import StorekeeperTesting

/// A transaction with twenty fields and Apple's lengths, and tokens of Apple's size over it.
struct Sample {
  private(set) var transaction: Transaction
  let authority: TestAuthority

  /// A genuine header segment has about 4.4 KB of text: three certificates.
  static let headerBytes = 3300

  init() throws {
    var transaction = Transaction()
    transaction.transactionID = "2000000909538865"
    transaction.originalTransactionID = "2000000335310644"
    transaction.webOrderLineItemID = "2000000028143412"
    transaction.bundleID = "com.example.reader"
    transaction.productID = "com.example.reader.subscription.monthly"
    transaction.subscriptionGroupIdentifier = "21360502"
    transaction.purchaseDate = Date(timeIntervalSince1970: 1_761_962_970)
    transaction.originalPurchaseDate = Date(timeIntervalSince1970: 1_759_284_570)
    transaction.expiresDate = Date(timeIntervalSince1970: 1_764_554_970)
    transaction.quantity = 1
    transaction.type = .autoRenewableSubscription
    transaction.appAccountToken = UUID(uuidString: "7e3fb20b-4cdb-47cc-936d-99d65f608138")
    transaction.inAppOwnershipType = .purchased
    transaction.signedDate = Date(timeIntervalSince1970: 1_761_962_975.123)
    transaction.environment = .sandbox
    transaction.transactionReason = .renewal
    transaction.storefront = "USA"
    transaction.storefrontID = "143441"
    transaction.price = 9990
    transaction.currency = "USD"
    self.transaction = transaction
    authority = try TestAuthority()
  }

  /// A purchase of a credit pack, with another transaction id each time.
  func pack(number: Int) throws -> String {
    var sample = self
    sample.transaction.type = .consumable
    sample.transaction.productID = CreditScene.appStoreProductID
    sample.transaction.expiresDate = nil
    sample.transaction.subscriptionGroupIdentifier = nil
    sample.transaction.webOrderLineItemID = nil
    sample.transaction.appAccountToken = nil
    sample.transaction.transactionReason = .purchase
    sample.transaction.originalTransactionID = "\(2_000_000_909_538_865 + number)"
    return try sample.token(number: number)
  }

  /// A token with another transaction id each time, signed by an authority.
  func token(number: Int = 0, by authority: TestAuthority? = nil) throws -> String {
    let authority = authority ?? self.authority
    var transaction = transaction
    transaction.transactionID = "\(2_000_000_909_538_865 + number)"
    var header = authority.header
    // Test certificates are smaller than Apple's; a member that nobody reads makes up for it.
    let missing = max(0, Self.headerBytes - JSONValue.object(header).serialized.count)
    header["kid"] = .string(String(repeating: "k", count: missing))
    return try authority.sign(transaction.json.serialized, header: header)
  }
}
