import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// Evidence as it is handed over, and the facts of it.
@Suite("Evidence of purchases")
struct EvidenceVerifierTests {
  @Test(
    "the form of an order's text tells a signed transaction from a receipt",
    arguments: [
      ("eyJh.b.c", PurchaseEvidence.signedTransaction("eyJh.b.c")), ("MIIB", .receipt("MIIB")),
      ("eyJh.b", .receipt("eyJh.b")), ("eyJh.b.c.d", .receipt("eyJh.b.c.d")),
      ("a.b.c", .receipt("a.b.c")), ("", .receipt("")),
    ])
  func form(text: String, evidence: PurchaseEvidence) {
    #expect(PurchaseEvidence(ofApple: text) == evidence)
  }

  @Test(
    "a description tells the kind, and never the evidence",
    arguments: [
      PurchaseEvidence.receipt("secret"), .signedTransaction("secret", renewalInfo: "secret"),
      .purchaseToken("secret"),
    ])
  func silence(evidence: PurchaseEvidence) {
    #expect(!"\(evidence)".contains("secret"))
    #expect(Mirror(reflecting: evidence).children.isEmpty)
  }

  @Test("a signed transaction becomes facts in its own app only; what nobody can verify is refused")
  func transaction() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let evidence = EvidenceVerifier(
      PurchaseContext(
        store: scene.store, accounts: scene.accounts, verifier: try scene.verifier()))
    let sent = PurchaseEvidence.signedTransaction(try purchase.signedTransactionInfo)
    let facts = try await evidence.facts(of: sent, inApp: ServiceScene.bundleID)
    #expect(facts.originalTransactionIDs == [purchase.originalTransactionID])
    await #expect(throws: EvidenceFailure.wrongApp) {
      try await evidence.facts(of: sent, inApp: "com.example.other")
    }
    for other in [PurchaseEvidence.receipt("MIIB"), .purchaseToken("token")] {
      await #expect(throws: EvidenceFailure.notSupported) { try await evidence.facts(of: other) }
    }
  }
}
