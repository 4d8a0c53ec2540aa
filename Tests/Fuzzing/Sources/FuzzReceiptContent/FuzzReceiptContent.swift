import Foundation
import ReceiptModels
@testable import ReceiptVerifier

/// Fuzzes the signed content of app receipts: no crash; both readers find the same creation date; a
/// decoded receipt can be shown in the form of verifyReceipt.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReceiptContent(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let payload = AppReceiptPayload(bytes: bytes, range: bytes.indices)
  let date = try? payload.creationDate()
  guard let receipt = try? payload.receipt() else { return 0 }
  precondition(date == receipt.creationDate, "two readers, two dates")
  _ = receipt.subscriptions(at: receipt.creationDate)
  let shown = VerifyReceiptResponse.Receipt(receipt)
  let again = try? VerifyReceiptResponse.Receipt(json: shown.json)
  precondition(again?.inApp?.count == receipt.purchases.count, "a purchase was lost")
  return 0
}
