import ReceiptModels
import Testing

@Suite("Identifiers of stored purchases")
struct TransactionIDTests {
  @Test("Apple's have 1 to 64 digits", arguments: ["1", "000", String(repeating: "9", count: 64)])
  func apple(id: String) {
    #expect(TransactionIDs.areDigits(id))
    #expect(TransactionIDs.areStorable(id))
    #expect(!TransactionIDs.areGoogle(id))
    #expect(TransactionIDs.vendor(of: id) == .apple)
  }

  @Test(
    "Google's have a word in front and plain characters",
    arguments: [
      "google:a", "google:GPA.3345-1234-5678-90123..4:pro_monthly",
      "google:" + String(repeating: "f", count: 248),
    ])
  func google(id: String) {
    #expect(TransactionIDs.areGoogle(id))
    #expect(TransactionIDs.areStorable(id))
    #expect(!TransactionIDs.areDigits(id))
    #expect(TransactionIDs.vendor(of: id) == .google)
  }

  @Test(
    "nothing else can be stored",
    arguments: [
      "", "google:", "google", "Google:a", "google:a b", "google:a,b", "google:{a}", "google:\"",
      "google:'", "google:\\", "google:a\u{0}", "google:é", "1:google:a", "12a", "１２",
      String(repeating: "1", count: 65), "google:" + String(repeating: "f", count: 249),
    ])
  func others(id: String) {
    #expect(!TransactionIDs.areStorable(id))
  }
}
