import Foundation
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import StorekeeperToolSupport

/// The verification of receipts by the options.
struct Inspection {
  private let appReceipts: AppReceiptVerifier
  private let transactionReceipts: TransactionReceiptVerifier
  private let xcodeReceipts: XcodeReceiptVerifier?
  private let date: Date

  init(_ options: Options) throws {
    let bundleIDs = options.bundleID.map { Set([$0]) }
    let anchors = options.roots.isEmpty ? [.appleRootCA] : options.roots
    // Any app is accepted, because this tool only shows receipts and grants nothing.
    appReceipts = try AppReceiptVerifier(
      bundleIDs: bundleIDs, environments: .auto, trustAnchors: anchors)
    transactionReceipts = try TransactionReceiptVerifier(
      bundleIDs: bundleIDs, issuers: options.certificates, trustAnchors: anchors)
    xcodeReceipts =
      options.allowsXcode
      ? try XcodeReceiptVerifier(bundleIDs: bundleIDs, certificates: options.certificates) : nil
    date = options.date
  }

  /// The JSON members that hold receipts in requests, answers and notifications.
  private static let members: Set<String> = [
    "receipt-data", "receiptData", "receipt_data", "receipt", "latest_receipt", "latestReceipt",
    "transactionReceipt", "appReceipt",
  ]

  /// Returns the reports on a file: one, or one for each receipt in JSON.
  func reports(on path: String) -> [ReceiptReport] {
    do throws(InputFile.Failure) {
      // The limit is larger than any receipt, so that a too large one is recognized.
      let contents = try InputFile(path).contents(limit: 1 << 22)
      return reports(onContents: contents).map { $0.about(path) }
    } catch {
      return [ReceiptReport(reason: error.rawValue, message: error.description).about(path)]
    }
  }

  private func reports(onContents contents: [UInt8]) -> [ReceiptReport] {
    let bytes = Wrapping.withoutMark(contents)
    guard let json = Wrapping.json(bytes) else { return [report(on: Wrapping.unquoted(bytes))] }
    let found = Wrapping.members(Self.members, in: json)
    guard !found.isEmpty else {
      let names = Self.members.sorted().joined(separator: ", ")
      return [
        ReceiptReport(reason: "noReceiptInJSON", message: "this is JSON without any of \(names)")
      ]
    }
    return found.map { report(on: Array($0.text.utf8)).about(member: $0.member) }
  }

  private func report(on bytes: [UInt8]) -> ReceiptReport {
    var kind = ReceiptKind.unknown
    do throws(ReceiptFailure) {
      let input = try ReceiptInput(bytes: bytes)
      kind = input.kind
      if kind == .xcodeReceipt, !IndefiniteLength.isOfXcode(bytes) {
        return ReceiptReport(reason: "indefiniteLength", message: IndefiniteLength.message)
      }
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

/// The check of messages in BER of indefinite length, which are not always receipts from Xcode.
enum IndefiniteLength {
  static let message =
    "this is PKCS#7 in BER of indefinite length, as Apple's receipts never are, and does not say that "
    + "it is of Xcode"

  /// Returns whether a message, or its base64, contains the receipt type "Xcode" as a UTF8String.
  static func isOfXcode(_ bytes: [UInt8]) -> Bool {
    let isBinary = bytes.first == 0x30 && bytes.dropFirst().first == 0x80
    let text = String(decoding: bytes, as: UTF8.self)
    let decoded = isBinary ? nil : Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    return (decoded ?? Data(bytes)).range(of: Data([0x0C, 0x05] + Array("Xcode".utf8))) != nil
  }
}
