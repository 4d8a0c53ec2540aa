import FixtureSupport
import Foundation
import OpenSSLSupport
import ReceiptModels
import ReceiptVerifier
import StorekeeperTesting
import Testing

@Suite("Receipts of Xcode", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct XcodeReceiptTests {
  static let paths = ["xcode/apple-library-empty.der", "xcode/tp-xcode-2020.der"]

  @Test("are read by their own verifier, and say what the lists say", arguments: paths)
  func read(path: String) throws {
    let expected = try ExpectedReceipt(path: path)
    let verifier = XcodeReceiptVerifier(bundleIDs: [try #require(expected.bundleID)])
    let receipt = try verifier.verify(try ReceiptInput(bytes: expected.der)).receipt
    #expect(receipt.receiptType == .xcode)
    #expect(receipt.bundleID == expected.bundleID)
    #expect(receipt.creationDate == expected.creationDate)
    #expect(receipt.applicationVersion == expected.text("application_version"))
    #expect(receipt.opaqueValue.count == 8)
    #expect(receipt.originalPurchaseDate == nil)
    #expect(receipt.originalApplicationVersion == nil)
    #expect(receipt.expirationDate == Date(timeIntervalSince1970: 64_092_211_200))
    #expect(receipt.purchases.count == expected.purchases.count)
    for (purchase, list) in zip(receipt.purchases, expected.purchases) {
      #expect(purchase.transactionID == "0")
      #expect(purchase.originalTransactionID == nil)
      #expect(purchase.productID == list["product_id"]?.text)
      #expect(purchase.purchaseDate == list["purchase_date"]?.text.flatMap(ExpectedReceipt.date))
      #expect(purchase.expiresDate == list["expires_date"]?.text.flatMap(ExpectedReceipt.date))
    }
  }

  @Test("are refused as test data by the verifier of Apple's, in any environment", arguments: paths)
  func notApples(path: String) throws {
    let der = Array(try Fixtures.data(path))
    let verifier = try AppReceiptVerifier(bundleIDs: nil, environments: [.production, .sandbox])
    #expect(try ReceiptScene.refusal(of: der, by: verifier) == .inputKind(.xcodeReceipt))
  }

  @Test("are of one app")
  func bundle() throws {
    let expected = try ExpectedReceipt(path: Self.paths[0])
    #expect(throws: ReceiptFailure.bundleMismatch(found: expected.bundleID)) {
      try XcodeReceiptVerifier(bundleIDs: ["com.example"]).verify(
        try ReceiptInput(bytes: expected.der))
    }
  }

  @Test("are refused when they are altered, cut short or lengthened", arguments: paths)
  func altered(path: String) throws {
    let der = Array(try Fixtures.data(path))
    let verifier = XcodeReceiptVerifier(bundleIDs: nil)
    let expected = try verifier.verify(try ReceiptInput(bytes: der))
    #expect(throws: ReceiptFailure.trailingBytes) {
      try verifier.verify(try ReceiptInput(bytes: der + [0]))
    }
    for count in 2..<der.count {
      #expect(throws: ReceiptFailure.self) {
        try verifier.verify(try ReceiptInput(bytes: Array(der.prefix(count))))
      }
    }
    for place in der.indices {
      var changed = der
      changed[place] ^= 4
      let read = try? verifier.verify(try ReceiptInput(bytes: changed))
      #expect(read == nil || read == expected, "\(place)")
    }
    let place = try #require(der.firstRange(of: Array("Xcode".utf8))).lowerBound
    var changed = der
    changed[place] = UInt8(ascii: "x")
    #expect(throws: ReceiptFailure.signatureInvalid) {
      try verifier.verify(try ReceiptInput(bytes: changed))
    }
  }

  @Test("of another certificate need that certificate; one that Apple signed is none of them")
  func certificates() throws {
    let genuine = try ReceiptScene.authority.sign(ReceiptScene.receipt)
    #expect(throws: ReceiptFailure.inputKind(.appReceipt)) {
      try XcodeReceiptVerifier(bundleIDs: nil).verify(try ReceiptInput(bytes: genuine))
    }
  }
}
