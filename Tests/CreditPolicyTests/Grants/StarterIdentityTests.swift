import CreditPolicy
import ReceiptModels
import Testing

@Suite("Identities of buyers of starter packs")
struct StarterIdentityTests {
  @Test(
    "are e-mail addresses, trimmed and in lower case",
    arguments: [
      (" Ann@Example.COM ", "ann@example.com"), ("ann@example.com", "ann@example.com"),
      ("\t\u{A0}ANN@example.com\r\n", "ann@example.com"),
      // Nothing is done to dots and +, nor to white space within.
      ("a.n.n+gems@example.com", "a.n.n+gems@example.com"), ("a n@b", "a n@b"),
      // Without locale: a capital I gets its dot.
      ("IVY@EXAMPLE.COM", "ivy@example.com"), ("ÄNN@EXAMPLE.COM", "änn@example.com"),
    ])
  func addresses(email: String, identity: String) {
    #expect(StarterIdentity.identity(email: email, userID: "u1") == identity)
  }

  @Test(
    "are the users without an address",
    arguments: [nil, "", " ", "\u{A0}\t\n"] as [String?])
  func users(email: String?) {
    #expect(StarterIdentity.identity(email: email, userID: "U1") == "user:U1")
  }
}
