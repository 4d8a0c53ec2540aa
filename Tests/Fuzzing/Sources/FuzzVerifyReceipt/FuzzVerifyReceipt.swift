import Foundation
@testable import JSONValues
@testable import ReceiptModels

/// Fuzzes answers of verifyReceipt: no crash; encoding and decoding again gives the same value;
/// an answer is the same from the text and from its value; states can be derived at any date.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVerifyReceipt(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let text = try? JSONText(checking: bytes, within: .values) else { return 0 }
  let value = text.value(at: text.root)
  let ofText = Result { () throws(FieldTypeFailure) in
    try VerifyReceiptResponse(text, at: text.root)
  }
  let ofValue = Result { () throws(FieldTypeFailure) in try VerifyReceiptResponse(json: value) }
  precondition(ofText == ofValue, "an answer depends on the way it is read")
  if let transaction = try? ReceiptTransaction(json: value) {
    precondition((try? ReceiptTransaction(json: transaction.json)) == transaction, "a transaction")
  }
  if let renewal = try? PendingRenewal(json: value) {
    precondition((try? PendingRenewal(json: renewal.json)) == renewal, "a renewal")
  }
  guard case .success(let response) = ofValue else { return 0 }
  precondition((try? VerifyReceiptResponse(json: response.json)) == response, "an answer")
  let histories = response.purchaseHistories()
  let moment = response.requestDate ?? Date(timeIntervalSince1970: 1_600_000_000)
  for history in histories { _ = history.summary(at: moment) }
  for group in SubscriptionGroup.groups(of: histories) { _ = group.summary(at: moment) }
  return 0
}
