import StoreSimulators
import Storekeeper
import Testing

@Suite("Required fields of link and unlink")
struct RequiredFieldTests {
  private func body(_ members: KeyValuePairs<String, String?>) -> String {
    let members = members.map { "\(quoted($0.key)):\($0.value.map(quoted) ?? "null")" }
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test("white space around identifiers is cut off")
  func whiteSpace() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    let linked = try await scene.send(
      .post, "/apple/link", body(["ftcId": " alice\n", "originalTxId": "\t\(id) "]))
    #expect(linked.json?["ftcId"] == .string("alice"))
    let unlinked = try await scene.send(
      .post, "/apple/unlink", body(["ftcId": " alice", "originalTxId": "\(id)\n"]))
    #expect(unlinked.status == 204)
  }

  @Test(
    "the first missing field is named (L2, U2), before any is looked at",
    arguments: [
      (nil, "1", "ftcId"), ("  ", "1", "ftcId"), (nil, nil, "ftcId"),
      ("alice", nil, "originalTxId"), ("alice", " \n", "originalTxId"),
      ("a\0b", nil, "originalTxId"), ("a\0b", " ", "originalTxId"),
    ] as [(String?, String?, String)])
  func missing(account: String?, id: String?, field: String) async throws {
    let scene = try APIScene()
    for path in ["/apple/link", "/apple/unlink"] {
      #expect(
        try await scene.send(
          .post, path, body(["ftcId": account, "originalTxId": id])
        ).refusal == .missing(field))
    }
  }

  @Test(
    "a field of white space as Unicode has it is missing",
    arguments: [
      "\t\n\u{B}\u{C}\r ", "\u{85}", "\u{A0}", "\u{1680}", "\u{2000}\u{200A}",
      "\u{2028}\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}",
      String(repeating: "\u{3000}", count: 10_000),
    ])
  func unicodeSpace(space: String) async throws {
    let scene = try APIScene()
    #expect(
      try await scene.send(
        .post, "/apple/link", body(["ftcId": space, "originalTxId": "1"])
      ).refusal == .missing("ftcId"))
    #expect(
      try await scene.send(
        .post, "/apple/link", body(["ftcId": "alice", "originalTxId": space])
      ).refusal == .missing("originalTxId"))
    #expect(
      try await scene.send(.post, "/apple/subs", body(["receiptData": space])).refusal
        == .missing("receiptData"))
  }

  @Test(
    "an account or a subscription that nothing can be is not found",
    arguments: ["a\0b", "ali ce", "älice", String(repeating: "a", count: 129), "\u{200B}"])
  func hostile(text: String) async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    for (account, id) in [(text, id), ("alice", text), ("alice", text + "1")] {
      #expect(
        try await scene.send(
          .post, "/apple/link", body(["ftcId": account, "originalTxId": id])
        ).refusal == .notFound)
    }
    #expect(
      try await scene.send(
        .post, "/apple/unlink", body(["ftcId": text, "originalTxId": id])
      ).refusal == Refusal("ftcId", "invalid", "IAP is not linked to the ftc account"))
    #expect(
      try await scene.send(
        .post, "/apple/unlink", body(["ftcId": text, "originalTxId": "42"])
      ).refusal == .notFound)
  }
}
