import Foundation
import JWSVerifier
import ReceiptModels
import ReceiptVerifier

/// Verifies receipts as the options ask.
struct Inspection {
  private let appReceipts: AppReceiptVerifier
  private let transactionReceipts: TransactionReceiptVerifier
  private let xcodeReceipts: XcodeReceiptVerifier?
  private let date: Date

  init(_ options: Options) throws {
    let bundleIDs = options.bundleID.map { Set([$0]) }
    let anchors = options.roots.isEmpty ? [.appleRootCA] : options.roots
    // A tool that shows what is in a receipt; nothing is granted by it.
    appReceipts = try AppReceiptVerifier(
      bundleIDs: bundleIDs, environments: .auto, trustAnchors: anchors)
    transactionReceipts = try TransactionReceiptVerifier(
      bundleIDs: bundleIDs, issuers: options.certificates, trustAnchors: anchors)
    xcodeReceipts =
      options.allowsXcode
      ? try XcodeReceiptVerifier(bundleIDs: bundleIDs, certificates: options.certificates) : nil
    date = options.date
  }

  func report(on bytes: [UInt8]) -> ReceiptReport {
    var kind = ReceiptKind.unknown
    do throws(ReceiptFailure) {
      let input = try ReceiptInput(bytes: bytes)
      kind = input.kind
      return try report(on: input)
    } catch {
      return ReceiptReport(kind, error)
    }
  }

  private func report(on input: ReceiptInput) throws(ReceiptFailure) -> ReceiptReport {
    switch input.kind {
    case .xcodeReceipt:
      guard let xcodeReceipts else { throw .inputKind(.xcodeReceipt) }
      var report = ReceiptReport(input.kind, try xcodeReceipts.verify(input).receipt, at: date)
      report.markAsTestData()
      return report
    case .transactionReceipt:
      let receipt = try transactionReceipts.verify(try TransactionReceipt(input))
      return ReceiptReport(input.kind, receipt.transaction, at: date)
    default:
      return ReceiptReport(input.kind, try appReceipts.verify(input).receipt, at: date)
    }
  }
}
