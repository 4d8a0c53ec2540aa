import CBaseline
import Foundation
import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting

/// Verifying transactions: warm, cold, with a new leaf, in batches.
struct SignedDataBenchmark {
  private let sample: Sample
  private let anchor: TrustAnchor
  /// Different payloads under one header.
  private let tokens: [String]
  /// Tokens whose leaves differ, under one intermediate.
  private let leafTokens: [String]
  private let payload: [UInt8]
  /// A renewal info that Apple signed, under an intermediate that is built in; nil without fixtures.
  private let genuine: String?
  private let verifier: SignedDataVerifier
  private let cores = ProcessInfo.processInfo.activeProcessorCount

  init() throws {
    let sample = try Sample()
    self.sample = sample
    anchor = try sample.authority.fingerprintAnchor
    tokens = try (0..<400).map { try sample.token(number: $0) }
    leafTokens = try (0..<40).map { _ in
      try sample.token(by: try sample.authority.withNewLeaf())
    }
    payload = sample.transaction.json.serialized
    genuine = Fixtures.bytes("signed-data/apple/goiap-sandbox-renewal-info-2023.jws").map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    verifier = try Self.verifier(anchor)
    _ = try verifier.transaction(tokens[0])
  }

  private static func verifier(_ anchor: TrustAnchor) throws -> SignedDataVerifier {
    try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader")], environments: [.sandbox],
      trustAnchors: [anchor])
  }

  func measured(rounds: Int) throws -> Measurement {
    let baseline = try Baseline(authority: sample.authority, threads: cores)
    var costs = Measurement()
    for _ in 0..<rounds {
      try baseline.measure(&costs)
      try measureVerification(&costs)
      try measureDecoding(&costs)
      try measureBatch(&costs)
    }
    return costs
  }

  private func measureVerification(_ costs: inout Measurement) throws {
    try costs.add("warm", count: tokens.count) {
      for token in tokens { _ = try verifier.transaction(token) }
    }
    try costs.add("cold", count: leafTokens.count) {
      for token in leafTokens { _ = try Self.verifier(anchor).transaction(token) }
    }
    if let genuine {
      try costs.add("built in", count: 40) {
        for _ in 0..<40 { _ = try Self.verifier(.appleRootCAG3).renewalInfo(genuine) }
      }
    }
    let primed = try Self.verifier(anchor)
    _ = try primed.transaction(tokens[0])
    try costs.add("new leaf", count: leafTokens.count) {
      for token in leafTokens { _ = try primed.transaction(token) }
    }
  }

  private func measureDecoding(_ costs: inout Measurement) throws {
    var quantity = 0
    try costs.add("decode", count: 400) {
      for _ in 0..<400 {
        quantity += try Transaction(parsing: payload).quantity ?? 0
      }
    }
    let decoder = JSONDecoder()
    let data = Data(payload)
    try costs.add("JSONDecoder", count: 400) {
      for _ in 0..<400 {
        quantity += try decoder.decode(PlainTransaction.self, from: data).quantity ?? 0
      }
    }
    try costs.add("Codable", count: 400) {
      for _ in 0..<400 {
        quantity += try decoder.decode(Transaction.self, from: data).quantity ?? 0
      }
    }
    precondition(quantity == 1200, "the payload was not read")
  }

  /// Batches of 400, as a server gets them; the results are kept until the batch is done.
  private func measureBatch(_ costs: inout Measurement) throws {
    let batches = 16
    try costs.add("one core", count: batches * tokens.count, clock: wall_nanoseconds) {
      for _ in 0..<batches {
        let results = try tokens.map { try verifier.transaction($0) }
        precondition(results.count == tokens.count, "results are missing")
      }
    }
    costs.add("all cores", count: batches * tokens.count, clock: wall_nanoseconds) {
      for _ in 0..<batches {
        let results = verifier.verify(tokens)
        precondition(results.count == tokens.count, "results are missing")
      }
    }
  }
}

/// The sample's fields for Foundation's decoder, with nothing lenient about them.
private struct PlainTransaction: Decodable {
  var transactionId, originalTransactionId, webOrderLineItemId, bundleId, productId: String?
  var subscriptionGroupIdentifier, type, inAppOwnershipType, environment: String?
  var transactionReason, storefront, storefrontId, currency: String?
  var purchaseDate, originalPurchaseDate, expiresDate, signedDate: Double?
  var quantity, price: Int?
  var appAccountToken: UUID?
}

extension SignedDataBenchmark {
  func report(_ costs: Measurement) {
    let p256 = [("P-256", times: 1.0)]
    print("token of \(tokens[0].utf8.count) bytes, payload of \(payload.count) bytes, 20 fields")
    print("CPU time a call on one thread, medians:")
    costs.show("raw P-256 verification, OpenSSL in C", "P-256")
    costs.show("raw P-384 verification, OpenSSL in C", "P-384")
    costs.show("verify and decode, warm cache", "warm", p256, "raw P-256")
    costs.show(
      "verify and decode, cold", "cold", [("P-256", 1), ("P-384", 2)], "(2 P-384 + 1 P-256)")
    costs.show(
      "the same chain with X509 of OpenSSL, in C", "chain in C", [("P-256", 1), ("P-384", 2)],
      "(2 P-384 + 1 P-256)")
    costs.show(
      "verify and decode, new leaf", "new leaf", [("P-256", 1), ("P-384", 1)],
      "(1 P-384 + 1 P-256)")
    if genuine != nil {
      costs.show(
        "Apple's renewal info, cold", "built in", [("P-256", 1), ("P-384", 1)],
        "(1 P-384 + 1 P-256): intermediate built in")
    }
    costs.show("decode alone", "decode", p256, "raw P-256")
    costs.show("the same model by way of JSONDecoder", "Codable", p256, "raw P-256")
    costs.show("plain fields alone, JSONDecoder", "JSONDecoder", p256, "raw P-256")
    print("wall time a token on \(cores) cores, medians:")
    costs.show("one after the other", "one core")
    costs.show("in batches of 400", "all cores", [("one core", 1)], "one after the other")
    costs.show("raw P-256 in C, one thread", "P-256, one thread")
    costs.show(
      "raw P-256 in C, a thread a core", "P-256, all threads", [("P-256, one thread", 1)],
      "one thread")
    print(
      String(
        format: "batches are %.2f times as fast; raw OpenSSL, %.2f times",
        1 / costs.ratio("all cores", to: [("one core", 1)]),
        1 / costs.ratio("P-256, all threads", to: [("P-256, one thread", 1)])))
  }

  /// Verifies a million tokens and shows the memory before and after.
  func reportMemory() {
    for _ in 0..<25 { _ = verifier.verify(tokens) }
    let before = Memory.residentKiB
    for _ in 0..<2500 { _ = verifier.verify(tokens) }
    print(
      "resident memory: \(before) KiB after 10 000 tokens, "
        + "\(Memory.residentKiB) KiB after a million more")
  }
}
