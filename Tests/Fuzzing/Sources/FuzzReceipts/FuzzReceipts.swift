import Foundation
import JWSVerifier
import ReceiptModels
import ReceiptVerifier

/// The verifiers that accept receipts.
private struct Doors {
  let app: AppReceiptVerifier
  let xcode: XcodeReceiptVerifier
  let transaction: TransactionReceiptVerifier
  /// The content of the genuine receipts in the corpus.
  var genuine: Set<AppReceipt> = []

  init() throws {
    app = try AppReceiptVerifier(bundleIDs: nil, environments: [.production, .sandbox])
    xcode = try XcodeReceiptVerifier(bundleIDs: nil)
    transaction = try TransactionReceiptVerifier(bundleIDs: nil, issuers: [])
    let fixtures = ProcessInfo.processInfo.environment["STOREKEEPER_FIXTURES"] ?? ""
    for folder in ["/app-receipts/", "/xcode/"] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: fixtures + folder)
      for name in names ?? [] where name.hasSuffix(".der") {
        let content = FileManager.default.contents(atPath: fixtures + folder + name)
        guard let content, let input = try? ReceiptInput(bytes: Array(content)) else { continue }
        if let verified = try? app.verify(input) { genuine.insert(verified.receipt) }
        if let read = try? xcode.verify(input) { genuine.insert(read.receipt) }
      }
    }
  }

  func tryAll(_ input: ReceiptInput) {
    if let verified = try? app.verify(input) {
      precondition(genuine.contains(verified.receipt), "not what Apple signed")
      _ = verified.subscriptions(at: verified.receipt.creationDate)
    }
    if let receipt = try? xcode.verify(input) {
      precondition(genuine.contains(receipt.receipt), "not what Xcode signed")
    }
    if let receipt = try? TransactionReceipt(input) {
      precondition((try? transaction.verify(receipt)) == nil, "verified without an issuer")
    }
  }
}

private let doors = Result { try Doors() }

/// Fuzzes receipts of any kind, as binary and as text: no crash, and no accepted content other than
/// that of a genuine receipt.
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
