internal import PurchaseStorage

/// Texts that are no identifiers of transactions.
let badTransactionIDs = [
  "", " ", "abc", "12a", "-1", "1.0", "1\u{0}", "\u{0}1", "１２", "../1", "1/2", "1'--",
  String(repeating: "1", count: 65), String(repeating: "1", count: 10_000), "google:", "google",
  "google:a b", "google:a,b", "google:{a}", "google:\"a\"", "google:a'--", "google:a\u{0}",
  "google:é", "Google:a", "google:" + String(repeating: "a", count: 249),
]

/// Texts that are no identifiers of accounts.
let badAccountIDs = [
  "a b", "a\u{0}", "\u{0}", "é", "a\nb", "\u{7F}", String(repeating: "a", count: 129),
  String(repeating: "a", count: 10_000),
]

/// Texts that no field can store.
let badTexts = ["\u{0}", "a\u{0}b", String(repeating: "x", count: 10_000)]

/// Throws unless the look-up finds nothing, or refuses what it is asked for.
func expectNothing(
  _ what: String, _ count: nonisolated(nonsending) () async throws -> Int
) async throws {
  do {
    try expect("number of \(what)", try await count(), is: 0)
  } catch StorageFailure.invalidValue {
    return
  }
}

/// A short name for a long text.
func named(_ text: String) -> String {
  text.utf8.count > 40 ? "of \(text.utf8.count) bytes" : text.debugDescription
}
