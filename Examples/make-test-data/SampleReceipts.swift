import Foundation
import ReceiptModels
import StorekeeperTesting

struct SampleReceipts {
  let authority: TestAuthority
  private var receipt: AppReceipt

  init(authority: TestAuthority) {
    self.authority = authority
    let bought = Date(timeIntervalSince1970: 1_762_000_000)
    receipt = AppReceipt(
      receiptType: .productionSandbox, bundleID: "com.example.reader", creationDate: bought)
    receipt.applicationVersion = "1"
    var purchase = AppReceipt.Purchase()
    purchase.quantity = 1
    purchase.productID = "reader.monthly"
    purchase.transactionID = "2000000000000002"
    purchase.originalTransactionID = "2000000000000001"
    purchase.purchaseDate = bought
    purchase.originalPurchaseDate = bought
    purchase.expiresDate = bought.addingTimeInterval(30 * 86_400)
    purchase.productType = .autoRenewableSubscription
    receipt.purchases = [purchase]
  }

  /// The names of the files, and the receipt in each, in base64.
  var files: [(name: String, lines: [String])] {
    get throws {
      let genuine = try authority.sign(receipt)
      var altered = genuine
      altered[altered.count - 1] ^= 1
      let strangers = try TestAuthority.forReceipts().sign(receipt)
      return [
        ("receipt.txt", [text(genuine)]), ("altered-receipt.txt", [text(altered)]),
        ("strangers-receipt.txt", [text(strangers)]),
      ]
    }
  }

  private func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
