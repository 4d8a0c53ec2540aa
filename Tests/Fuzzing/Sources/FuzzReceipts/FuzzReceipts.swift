import Foundation
import JWSVerifier
import ReceiptModels
import ReceiptVerifier

/// Any bytes as a receipt of any kind, as binary and as text: never a crash, and nothing is accepted
/// that says something else than the genuine receipt with the same signature.
private struct Doors {
  let app: AppReceiptVerifier
  let xcode = XcodeReceiptVerifier(bundleIDs: nil)
  let transaction: TransactionReceiptVerifier

  init() throws {
    app = try AppReceiptVerifier(bundleIDs: nil, environments: [.production, .sandbox])
    transaction = try TransactionReceiptVerifier(bundleIDs: nil, issuers: [])
  }

  func tryAll(_ input: ReceiptInput) {
    if let verified = try? app.verify(input) {
      precondition(verified.receipt.receiptType.environment == verified.environment, "environment")
      _ = verified.subscriptions(at: verified.receipt.creationDate)
    }
    if let receipt = try? xcode.verify(input) {
      precondition(receipt.receipt.receiptType == .xcode, "not of Xcode")
    }
    if let receipt = try? TransactionReceipt(input) {
      precondition((try? transaction.verify(receipt)) == nil, "verified without an issuer")
    }
  }
}

private let doors = Result { try Doors() }

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReceipts(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let doors = try? doors.get() else { return 0 }
  if let input = try? ReceiptInput(bytes: bytes) { doors.tryAll(input) }
  if let input = try? ReceiptInput(text: String(decoding: bytes, as: UTF8.self)) {
    doors.tryAll(input)
  }
  return 0
}
