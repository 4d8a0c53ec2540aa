import StorekeeperFixtures
import Foundation
import JWSVerifier
import StorekeeperCrypto
import JSONValues
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite(
  "App receipts that Apple signed", .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct FixtureReceiptTests {
  @Test("verify when they were made, and say what the lists say", arguments: ExpectedReceipt.paths)
  func verify(path: String) throws {
    let expected = try ExpectedReceipt(path: path)
    let verifier = try AppReceiptVerifier(
      bundleIDs: [try #require(expected.bundleID)], environments: [.sandbox])
    let verified = try verifier.verify(der: expected.der)
    let text = Base64.encode(expected.der, .standard)
    #expect(try verifier.verify(base64: text) == verified)
    #expect(verified.environment == .sandbox)
    #expect(verified.bytes == expected.der)

    let cms = try #require(expected.json["cms"]?["leaf"]?["serial_hex"])
    let serialNumber = try #require(cms.text).drop { $0 == "0" }
    #expect(verified.certificateSerialNumber == String(serialNumber))
    try expectSame(verified.receipt, expected)
  }

  /// Compares all values of a list with a receipt, and counts that none is left over.
  private func expectSame(_ receipt: AppReceipt, _ expected: ExpectedReceipt) throws {
    guard case .object(var members) = expected.json else { return }
    func same(_ name: String, _ value: JSONValue?) {
      #expect(members.removeValue(forKey: name) == (value ?? .null), "\(name)")
    }
    same("receipt_type", .string(receipt.receiptType.rawValue))
    same("app_item_id", receipt.appItemID.map(JSONValue.integer))
    same("bundle_id", .string(receipt.bundleID))
    same("bundle_id_der_hex", .string(hexadecimal(receipt.bundleIDValue)))
    same("application_version", receipt.applicationVersion.map(JSONValue.string))
    same("opaque_value_hex", .string(hexadecimal(receipt.opaqueValue)))
    same("sha1_hash_hex", .string(hexadecimal(receipt.sha1Hash)))
    same("original_application_version", receipt.originalApplicationVersion.map(JSONValue.string))
    same("age_rating", receipt.ageRating.map(JSONValue.string))
    same("download_id", receipt.downloadID.map(JSONValue.integer))
    same("version_external_identifier", receipt.versionExternalIdentifier.map(JSONValue.integer))
    func sameDate(_ name: String, _ date: Date?) {
      #expect(members.removeValue(forKey: name)?.text.flatMap(ExpectedReceipt.date) == date)
    }
    sameDate("receipt_creation_date", receipt.creationDate)
    sameDate("original_purchase_date", receipt.originalPurchaseDate)
    sameDate("expiration_date", receipt.expirationDate)
    // Each type once, the purchases left out.
    let types = Set(receipt.attributes.map(\.type)).subtracting([17]).sorted()
    same("app_attribute_types", .array(types.map(JSONValue.integer)))
    members["in_app"] = nil
    #expect(Set(members.keys).isSubset(of: ["cms", "verification", "device_identifier_hex"]))

    #expect(receipt.purchases.count == expected.purchases.count)
    for (purchase, list) in zip(receipt.purchases, expected.purchases) {
      expectSame(purchase, list)
    }
  }

  private func expectSame(_ purchase: AppReceipt.Purchase, _ expected: JSONValue) {
    guard case .object(var members) = expected else { return }
    let present = Set(purchase.attributes.map(\.type))
    func same(_ name: String, _ type: Int, _ value: JSONValue?) {
      let found = listed(value, isPresent: present.contains(type))
      #expect(members.removeValue(forKey: name) == found, "\(name)")
    }
    same("quantity", 1701, purchase.quantity.map(JSONValue.integer))
    same("product_id", 1702, purchase.productID.map(JSONValue.string))
    same("transaction_id", 1703, purchase.transactionID.map(JSONValue.string))
    same("original_transaction_id", 1705, purchase.originalTransactionID.map(JSONValue.string))
    same("product_type", 1707, purchase.productType.map { .integer($0.rawValue) })
    same("item_id", 1710, purchase.itemID.map(JSONValue.integer))
    same("web_order_line_item_id", 1711, purchase.webOrderLineItemID.map(JSONValue.integer))
    same("is_trial_period", 1713, purchase.isTrialPeriod.map { .integer($0 ? 1 : 0) })
    same(
      "is_in_intro_offer_period", 1719, purchase.isInIntroOfferPeriod.map { .integer($0 ? 1 : 0) })
    same("promotional_offer_id", 1721, purchase.promotionalOfferID.map(JSONValue.string))
    same("attr_1722", 1722, purchase.ownershipCode.map(JSONValue.integer))
    func sameDate(_ name: String, _ type: Int, _ date: Date?) {
      let found = members.removeValue(forKey: name)
      #expect((found != nil) == present.contains(type), "\(name)")
      #expect(found?.text.flatMap(ExpectedReceipt.date) == date, "\(name)")
    }
    sameDate("purchase_date", 1704, purchase.purchaseDate)
    sameDate("original_purchase_date", 1706, purchase.originalPurchaseDate)
    sameDate("expires_date", 1708, purchase.expiresDate)
    sameDate("cancellation_date", 1712, purchase.cancellationDate)
    #expect(members.isEmpty, "\(members.keys)")
  }

  @Test("are refused when the time is forced to now", arguments: ExpectedReceipt.paths)
  func forcedToNow(path: String) throws {
    let expected = try ExpectedReceipt(path: path)
    // 2027-01-15; the youngest leaf ended on 2026-08-23.
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let verifier = try AppReceiptVerifier(
      bundleIDs: nil, environments: [.sandbox], clockPolicy: .now, now: { now })
    let failure = #expect(throws: ReceiptFailure.self) { try verifier.verify(der: expected.der) }
    guard case .certificateNotValidAt(now, _)? = failure else {
      Issue.record("refused with \(String(describing: failure))")
      return
    }
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined()
}

extension JSONValue {
  /// The text, when it is one.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
