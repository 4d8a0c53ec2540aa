import AppStoreServerAPI
import CatalogFiles
import Foundation
import GooglePlayVerifier
import JSONValues
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting

extension CountedOperation {
  /// All of them; the order is that of the file of counts.
  static var all: [CountedOperation] { signedData + receipts + reading + decisions + services }

  static var signedData: [CountedOperation] {
    [
      CountedOperation("verify-token-warm", calls: 40) {
        let sample = try Sample()
        let tokens = try (0..<80).map { try sample.token(number: $0) }
        let verifier = try Self.verifier(of: sample)
        _ = try verifier.transaction(tokens[0])
        return .synchronous {
          try insist(try verifier.transaction(tokens[$0]).payload.quantity == 1)
        }
      },
      CountedOperation("verify-token-cold") {
        let sample = try Sample()
        let tokens = try (0..<40).map { _ in
          try sample.token(by: try sample.authority.withNewLeaf())
        }
        return .synchronous { _ = try Self.verifier(of: sample).transaction(tokens[$0]) }
      },
      CountedOperation("sign-bearer-token", calls: 40) {
        let key = try TestServerAPIKey()
        let signer = try ServerAPITokenSigner(
          key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
          bundleID: "com.example.reader")
        return .synchronous { _ = try signer.token(at: BenchmarkService.now + Double($0)) }
      },
    ]
  }

  private static func verifier(of sample: Sample) throws -> SignedDataVerifier {
    try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
      trustAnchors: [sample.authority.fingerprintAnchor])
  }

  static var receipts: [CountedOperation] {
    [
      CountedOperation("verify-receipt-known") {
        let authority = try TestAuthority.forReceipts()
        let der = try authority.sign(ReceiptBenchmark.receipt(purchases: 10))
        let verifier = try ReceiptBenchmark.verifier(authority.fingerprintAnchor)
        return .synchronous { _ in
          try insist(try verifier.verify(der: der).receipt.purchases.count == 10)
        }
      },
      CountedOperation("verify-receipt-new") {
        let authority = try TestAuthority.forReceipts()
        let der = try authority.sign(ReceiptBenchmark.receipt(purchases: 10))
        let anchor = try authority.fingerprintAnchor
        return .synchronous { _ in _ = try ReceiptBenchmark.verifier(anchor).verify(der: der) }
      },
      CountedOperation("decode-base64") {
        // Begins as a receipt does.
        let text = Data([0x30, 0x82, 0x11, 0x90] + [UInt8](repeating: 0x5A, count: 4496))
          .base64EncodedString()
        return .synchronous { _ in _ = try ReceiptInput(text: text) }
      },
    ]
  }

  static var reading: [CountedOperation] {
    [
      CountedOperation("decode-payload") {
        let payload = try Sample().transaction.json.serialized
        return .synchronous { _ in
          try insist(try Transaction(parsing: payload).quantity == 1)
        }
      },
      CountedOperation("decode-answer", calls: 2) {
        let bytes = try VerifyReceiptBenchmark.answer(transactions: 100)
        return .synchronous { _ in
          let answer = try VerifyReceiptResponse(parsing: bytes)
          try insist(answer.latestReceiptInfo?.count == 100)
        }
      },
      CountedOperation("write-answer", calls: 2) {
        let bytes = try VerifyReceiptBenchmark.answer(transactions: 100)
        let answer = try VerifyReceiptResponse(parsing: bytes)
        return .synchronous { _ in try insist(answer.json.serialized.count > 10_000) }
      },
      CountedOperation("parse-request-body") {
        let body = Array(
          #"{"ftcId":"5f2c1f0e-1111-4222-8333-000000000001","originalTxId":"400000000000001","force":true}"#
            .utf8)
        return .synchronous { _ in _ = try JSONValue(parsing: body) }
      },
      CountedOperation("decode-google-purchase") {
        .synchronous { _ in
          _ = try SubscriptionPurchaseV2(parsing: CannedPlayStore.answer)
        }
      },
      CountedOperation("open-catalog", calls: 2) {
        let key = try CatalogKey(hexadecimal: String(repeating: "5a", count: 32))
        let list = [UInt8](repeating: 0x20, count: 65_536)
        let file = try SealedCatalog.seal(list, key: key, compression: .none)
        return .synchronous { _ in
          try insist(try SealedCatalog.open(file, key: key).count == list.count)
        }
      },
      CountedOperation("read-mapping") {
        let packs = (0..<20).map {
          "  pack_\($0): {app_store_product_id: com.example.gems.p\($0), credits: \(60 + $0), sort_order: \($0)}\n"
        }
        let text = Array(("product_mappings:\n" + packs.joined()).utf8)
        return .synchronous { _ in _ = try CreditProductMapping(bytes: text) }
      },
    ]
  }
}
