import StorekeeperFixtures
import Foundation
import JSONValues
import ReceiptModels
import ReceiptVerifier
import Testing

@Suite(
  "Apple's receipts and Apple's answers about them",
  .enabled(if: Fixtures.areAvailable, "\(Fixtures.absence)"))
struct ReceiptAgreementTests {
  /// An answer, and the receipt that the list of fixtures names for it.
  private struct Pair {
    var name: String
    var answer: VerifyReceiptResponse
    var receipt: String
    /// Whether Apple's `receipt` object describes that very receipt, not an older one.
    var isSameReceipt = false
  }

  private func pairs() throws -> [Pair] {
    let named = [
      ("bought_consumable", "consumable"), ("bought_non_consumable", "nonconsumable"),
      ("exclude_old_transactions", "exclude-old"),
      ("subscription_first_time_purchase", "server-notification"),
      ("subscription_multiple_subscription_purchases", "multi"),
      ("subscription_second_time_purchase", "second-time"),
    ]
    var pairs = try named.map { json, receipt in
      Pair(
        name: json,
        answer: try answer(
          Array(try Fixtures.data("verify-receipt/json/dollabill-\(json).json"))),
        receipt: "app-receipts/dollabill-\(receipt).der")
    }
    let exchanges = try JSONValue(
      parsing: Array(try Fixtures.data("verify-receipt/http/receipt.json")))
    guard case .array(let list) = exchanges, let body = list.last?["response"]?["body"]?.text else {
      throw CocoaError(.fileReadCorruptFile)
    }
    pairs.append(
      Pair(
        name: "receipt", answer: try answer(Array(body.utf8)),
        receipt: "app-receipts/griddiary-2014.der", isSameReceipt: true))
    let notification = try JSONValue(
      parsing: Array(try Fixtures.data("notifications-v1/dollabill-cancel.json")))
    var unified = try #require(notification["unified_receipt"])
    // The notification has no status inside.
    if case .object(var members) = unified {
      members["status"] = .integer(0)
      unified = .object(members)
    }
    pairs.append(
      Pair(
        name: "cancel", answer: try VerifyReceiptResponse(json: unified),
        receipt: "app-receipts/dollabill-server-notification.der"))
    return pairs
  }

  private func answer(_ bytes: [UInt8]) throws -> VerifyReceiptResponse {
    try VerifyReceiptResponse(json: try JSONValue(parsing: bytes))
  }

  @Test("agree field by field where both have a value")
  func agreement() throws {
    var transactions = 0
    var headers = 0
    var fields = 0
    for pair in try pairs() {
      let verifier = try AppReceiptVerifier(bundleIDs: nil, environments: [.sandbox])
      let verified = try verifier.verify(der: Array(try Fixtures.data(pair.receipt)))
      let shown = VerifyReceiptResponse.Receipt(verified.receipt)
      if let text = pair.answer.latestReceipt {
        #expect(try verifier.verify(base64: text) == verified, "\(pair.name)")
      }
      if pair.isSameReceipt, let receipt = pair.answer.receipt {
        headers += 1
        var others = receipt
        others.inApp = nil
        var ours = shown
        ours.inApp = nil
        fields += expectAgreement(ours.json, others.json, pair.name)
      }
      let ours = Dictionary(
        (shown.inApp ?? []).map { ($0.transactionID ?? "", $0) }, uniquingKeysWith: { $1 })
      let theirs = pair.answer.latestReceiptInfo ?? pair.answer.receipt?.inApp ?? []
      #expect(theirs.count == (shown.inApp ?? []).count, "\(pair.name)")
      for transaction in theirs {
        let mine = try #require(ours[transaction.transactionID ?? ""], "\(pair.name)")
        transactions += 1
        let compared = expectAgreement(mine.json, transaction.json, pair.name)
        // At least quantity, product, both ids, both dates in two forms, and the trial.
        #expect(compared >= 9, "\(pair.name)")
        fields += compared
      }
    }
    print(
      "receipts compared with Apple's JSON: [\(transactions) transactions, \(headers) headers, \(fields) fields]"
    )
    // Eight answers about transactions, as the lists of fixtures count them.
    #expect(transactions == 7 + 8 + 3 + 3 + 7 + 4 + 2 + 3)
    #expect(headers == 1)
  }

  /// Compares all members that both have, and counts them.
  private func expectAgreement(
    _ ours: JSONValue, _ theirs: JSONValue, _ name: String
  ) -> Int {
    guard case .object(let ours) = ours, case .object(let theirs) = theirs else { return 0 }
    var count = 0
    for (member, value) in ours {
      guard let other = theirs[member], other != .null else { continue }
      #expect(value == other, "\(name): \(member)")
      count += 1
    }
    return count
  }
}
