import InMemoryStorage
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// Credit rules, section 6.
@Suite("Apple's notifications about credits")
struct CreditNotificationTests {
  @Test("a refund takes the credits back; the answer has no body")
  func refund() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify().status == .ok)
    let body = try scene.notification()
    for _ in 1...2 {
      let response = try await scene.notify(body)
      #expect(response.status == .ok)
      #expect(response.body.isEmpty)
      #expect(try await scene.balance() == 100)
    }
    #expect(try await scene.verify().problem?.code == "PAYMENT_TRANSACTION_REVOKED")
    let restored = try scene.notification(
      .refundReversed, uuid: "00000000-0000-4000-8000-000000000002")
    #expect(try await scene.notify(restored).status == .ok)
    #expect(try await scene.balance() == 160)
  }

  @Test(
    "a body that is not an object with a signed payload is 400",
    arguments: [
      "", " ", "{}", "[]", "null", "7", "{", #"{"signedPayload":null}"#, #"{"signedPayload":""}"#,
      #"{"signedPayload":7}"#, #"{"signedPayload":["a"]}"#, #"{"SignedPayload":"a"}"#,
      #"{"notification_type":"REFUND","password":"x"}"#, #"["signedPayload"]"#,
    ])
  func malformed(body: String) async throws {
    let scene = try await CreditScene()
    #expect(try await scene.notify(body).problem == .malformed)
  }

  @Test("a body may have 256 KiB, and no byte more, declared or not")
  func bodySize() async throws {
    let scene = try await CreditScene()
    let body = try scene.notification()
    let room = (256 << 10) - body.utf8.count
    #expect(
      try await scene.notify(body + String(repeating: " ", count: room + 1)).problem == .malformed)
    let declared = try await scene.send(
      .post, "/payments/apple/notifications", user: nil, headers: [.contentLength: "262145"])
    #expect(declared.problem == .malformed)
    #expect(try await scene.notify(body + String(repeating: " ", count: room)).status == .ok)
  }

  @Test("what Apple did not sign is refused with the reason, and not recorded")
  func refused() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify().status == .ok)
    var foreign = CreditScene.transaction()
    foreign.bundleID = "com.example.other"
    var sandbox = CreditScene.transaction()
    sandbox.environment = .sandbox
    var idless = CreditScene.transaction()
    idless.transactionID = nil
    let cases: [(String, String)] = [
      (#"{"signedPayload":"e30"}"#, "malformed"),
      (try scene.notification(signer: TestAuthority()), "chain_invalid"),
      (try scene.notification { $0.data?.bundleID = "com.example.other" }, "bundle_id_mismatch"),
      (try scene.notification(about: foreign), "payload_invalid"),
      (try scene.notification(about: sandbox), "payload_invalid"),
      (try scene.notification(about: idless), "payload_invalid"),
      (try scene.notification(about: nil), "payload_invalid"),
      (try scene.notification(nil), "payload_invalid"),
      (try scene.notification(uuid: nil), "payload_invalid"),
      (
        try scene.notification { $0.data?.signedTransactionInfo = "a.b.c" }, "malformed"
      ),
    ]
    for (body, reason) in cases {
      #expect(try await scene.notify(body).problem == .invalid(reason), "\(reason)")
    }
    #expect(try await scene.balance() == 160)
    // The identifier was not recorded, so Apple's own notification counts.
    #expect(try await scene.notify(scene.notification()).status == .ok)
    #expect(try await scene.balance() == 100)
  }

  @Test("types without effect, and other environments, are 200")
  func ignored() async throws {
    let scene = try await CreditScene()
    #expect(try await scene.verify().status == .ok)
    for (index, type) in ["TEST", "DID_RENEW", "MADE_UP"].enumerated() {
      let body = try scene.notification(
        NotificationType(rawValue: type), uuid: "00000000-0000-4000-8000-00000000000\(index)")
      #expect(try await scene.notify(body).status == .ok)
    }
    let xcode = try scene.notification(about: nil) { $0.data?.environment = .xcode }
    #expect(try await scene.notify(xcode).status == .ok)
    #expect(try await scene.balance() == 160)
  }

  @Test("the host may drop a type that takes credits back")
  func narrowedTypes() async throws {
    let scene = try await CreditScene { $0.clawbackTypes = [.refund, .revoke] }
    #expect(try await scene.verify().status == .ok)
    let failed = try scene.notification(
      .didFailToRenew, uuid: "00000000-0000-4000-8000-000000000001")
    #expect(try await scene.notify(failed).status == .ok)
    #expect(try await scene.balance() == 160)
    #expect(try await scene.notify(scene.notification(.revoke)).status == .ok)
    #expect(try await scene.balance() == 100)
  }

  @Test("a failure of the store is 500, so that Apple repeats the notification")
  func brokenStore() async throws {
    let store = WrappedStore(InMemoryPurchaseStore()) { _, _ in throw SecretFailure() }
    let scene = try await CreditScene(store: store)
    let response = try await scene.notify(scene.notification())
    #expect(response.problem == .failed)
    #expect(!response.text.contains("hunter2"))
  }

  @Test("no token is asked for, and a wrong one does not matter")
  func tokens() async throws {
    let scene = try await CreditScene()
    let response = try await scene.send(
      .post, "/payments/apple/notifications", Array(try scene.notification().utf8), token: "wrong")
    #expect(response.status == .ok)
  }
}
