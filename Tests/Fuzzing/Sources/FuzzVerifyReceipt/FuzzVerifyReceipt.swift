import Foundation
import JSONValues
import ReceiptModels

/// Any JSON as an answer of verifyReceipt: never a crash; what is read is read again from what is
/// written; states can be derived from it at any moment.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVerifyReceipt(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONValue(parsing: bytes) else { return 0 }
  if let transaction = try? ReceiptTransaction(json: value) {
    precondition((try? ReceiptTransaction(json: transaction.json)) == transaction, "a transaction")
  }
  if let renewal = try? PendingRenewal(json: value) {
    precondition((try? PendingRenewal(json: renewal.json)) == renewal, "a renewal")
  }
  guard let response = try? VerifyReceiptResponse(json: value) else { return 0 }
  precondition((try? VerifyReceiptResponse(json: response.json)) == response, "an answer")
  let histories = response.purchaseHistories()
  let moment = response.requestDate ?? Date(timeIntervalSince1970: 1_600_000_000)
  for history in histories { _ = history.summary(at: moment) }
  for group in SubscriptionGroup.groups(of: histories) { _ = group.summary(at: moment) }
  return 0
}
