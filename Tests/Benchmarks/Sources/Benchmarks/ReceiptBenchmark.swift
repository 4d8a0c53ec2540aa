import CBaseline
import Foundation
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting

/// Verifying app receipts offline: how much above the RSA verifications, and how it grows.
struct ReceiptBenchmark {
  private let anchor: TrustAnchor
  private let verifier: AppReceiptVerifier
  private let receipts: [(purchases: Int, der: [UInt8])]
  /// Receipts that Apple signed, under intermediates that are built in; none without fixtures.
  private let genuine: [(name: String, der: [UInt8])]
  private let rsa: OpaquePointer

  /// The largest genuine receipt has 187 purchases.
  private static let sizes = [10, 20, 40, 80, 187]

  init() throws {
    let authority = try TestAuthority.forReceipts()
    anchor = try authority.fingerprintAnchor
    verifier = try Self.verifier(anchor)
    receipts = try Self.sizes.map { ($0, try authority.sign(Self.receipt(purchases: $0))) }
    for receipt in receipts { _ = try verifier.verify(der: receipt.der) }
    genuine = [
      ("SHA-1", "gridnote-2017"), ("SHA-256", "rust-cliptrace-2025-sha256"),
    ].compactMap { name, file in
      Fixtures.bytes("app-receipts/\(file).der").map { (name, $0) }
    }
    let digest = [UInt8](repeating: 0x5A, count: 32)
    guard let rsa = verification_new("RSA-2048", digest, digest.count) else {
      throw Baseline.Unavailable()
    }
    self.rsa = rsa
  }

  static func verifier(_ anchor: TrustAnchor) throws -> AppReceiptVerifier {
    try AppReceiptVerifier(bundleIDs: ["com.example.reader"], trustAnchors: [anchor])
  }

  /// A receipt with values as long as Apple's.
  static func receipt(purchases: Int) -> AppReceipt {
    let made = Date(timeIntervalSince1970: 1_761_962_970)
    var receipt = AppReceipt(
      receiptType: .production, bundleID: "com.example.reader", creationDate: made)
    receipt.appItemID = 1_234_567_890
    receipt.applicationVersion = "31"
    receipt.opaqueValue = [UInt8](repeating: 7, count: 16)
    receipt.sha1Hash = [UInt8](repeating: 9, count: 20)
    receipt.originalPurchaseDate = made
    receipt.originalApplicationVersion = "1.0"
    receipt.purchases = (0..<purchases).map { number in
      var purchase = AppReceipt.Purchase()
      purchase.quantity = 1
      purchase.productID = "com.example.reader.subscription.monthly"
      purchase.transactionID = "\(2_000_000_909_538_865 + number)"
      purchase.originalTransactionID = "2000000335310644"
      purchase.purchaseDate = made.addingTimeInterval(Double(number) * 2_592_000)
      purchase.originalPurchaseDate = made
      purchase.productType = .autoRenewableSubscription
      purchase.expiresDate = made.addingTimeInterval(Double(number + 1) * 2_592_000)
      purchase.itemID = 1_234_567_891
      purchase.webOrderLineItemID = 2_000_000_028_143_412 + number
      purchase.isTrialPeriod = false
      purchase.isInIntroOfferPeriod = false
      purchase.ownershipCode = 0
      return purchase
    }
    return receipt
  }

  func measured(rounds: Int) throws -> Measurement {
    var costs = Measurement()
    let ten = receipts[0].der
    let text = Data(ten).base64EncodedString()
    for _ in 0..<rounds {
      costs.add("RSA", count: 800) {
        precondition(verification_run(rsa, 800) == 1, "a signature does not fit")
      }
      costs.add("CMS in C", count: 40) {
        precondition(message_run(ten, ten.count, 40) == 1, "a message is not valid")
      }
      try costs.add("base64", count: 200) {
        for _ in 0..<200 { _ = try verifier.verify(base64: text) }
      }
      try costs.add("cold", count: 40) {
        for _ in 0..<40 { _ = try Self.verifier(anchor).verify(der: ten) }
      }
      for (name, der) in genuine {
        try costs.add(name, count: 40) {
          for _ in 0..<40 {
            _ = try AppReceiptVerifier(bundleIDs: nil, environments: .auto).verify(der: der)
          }
        }
      }
      for (purchases, der) in receipts {
        try costs.add("\(purchases)", count: 100) {
          for _ in 0..<100 { _ = try verifier.verify(der: der) }
        }
      }
    }
    return costs
  }

  func report(_ costs: Measurement) {
    let rsa = [("RSA", times: 1.0)]
    let three = [("RSA", times: 3.0)]
    print("app receipt of \(receipts[0].der.count) bytes, 10 purchases")
    print("CPU time a call on one thread, medians:")
    costs.show("raw RSA-2048 verification, OpenSSL in C", "RSA")
    costs.show("verify and decode, known certificates", "10", rsa, "raw RSA-2048: it makes one")
    costs.show("the same", "10", three, "(3 RSA-2048): a receipt has three")
    costs.show("the same from base64", "base64", three, "(3 RSA-2048)")
    costs.show("verify and decode, new certificates", "cold", three, "(3 RSA-2048)")
    costs.show("the same with CMS of OpenSSL, in C", "CMS in C", three, "(3 RSA-2048)")
    for (name, der) in genuine {
      costs.show(
        "Apple's, \(name), \(der.count) bytes, new certificates", name, three,
        "(3 RSA-2048): intermediate built in")
    }
    for (purchases, der) in receipts.dropFirst() {
      costs.show(
        "\(purchases) purchases, \(der.count) bytes", "\(purchases)", [("10", 1)], "10 purchases")
    }
  }
}
