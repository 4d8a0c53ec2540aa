internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

// Few purchases have a commitment, so that it is one column.

extension PurchaseCommitment {
  /// The text of the column.
  var json: String {
    JSONValue.object(
      [
        "paymentsLeft": .integer(paymentsLeft), "payments": payments.map(JSONValue.integer),
        "expiresMs": expiresDate.map { .integer(StoredMoment.milliseconds($0)) },
        "price": price.map(JSONValue.integer),
      ].compactMapValues(\.self)
    ).text
  }

  /// Reads the text of the column; nil if it is none.
  init?(json: String) {
    guard let row = try? JSONValue(parsing: Array(json.utf8)),
      let left = row["paymentsLeft"]?.storedNumber
    else { return nil }
    self.init(
      paymentsLeft: left, payments: row["payments"]?.storedNumber,
      expiresDate: row["expiresMs"]?.storedNumber.map { StoredMoment.date(milliseconds: $0) },
      price: row["price"]?.storedNumber)
  }
}

extension CommitmentRenewal {
  /// The text of the column.
  var json: String {
    JSONValue.object(
      [
        "willRenew": willRenew.map(JSONValue.boolean),
        "productId": productID.map(JSONValue.string), "planId": planID.map(JSONValue.string),
        "renewalMs": renewalDate.map { .integer(StoredMoment.milliseconds($0)) },
        "renewalPrice": renewalPrice.map(JSONValue.integer),
      ].compactMapValues(\.self)
    ).text
  }

  /// Reads the text of the column; nil if it is none.
  init?(json: String) {
    guard let row = try? JSONValue(parsing: Array(json.utf8)), case .object = row else {
      return nil
    }
    self.init(
      willRenew: row["willRenew"]?.storedFlag, productID: row["productId"]?.storedText,
      planID: row["planId"]?.storedText,
      renewalDate: row["renewalMs"]?.storedNumber.map { StoredMoment.date(milliseconds: $0) },
      renewalPrice: row["renewalPrice"]?.storedNumber)
  }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: serialized, as: UTF8.self) }
  fileprivate var storedNumber: Int? { if case .integer(let number) = self { number } else { nil } }
  fileprivate var storedFlag: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
  fileprivate var storedText: String? { if case .string(let text) = self { text } else { nil } }
}
