import MailDelivery
import Testing

@Suite("Addresses of mail servers and people")
struct MailServerTests {
  @Test(
    "an address of a server is read",
    arguments: [
      ("smtps://user@mail.example.com:465", "mail.example.com", 465, MailServer.Security.tls),
      ("smtps://us%40er@mail.example.com/", "mail.example.com", 465, .tls),
      ("smtp://user@mail.example.com:2587", "mail.example.com", 2587, .startTLS),
      ("smtp://user@mail.example.com", "mail.example.com", 587, .startTLS),
      ("smtp://user@localhost:2525", "localhost", 2525, .none),
      ("smtp://user@127.0.0.1", "127.0.0.1", 25, .none), ("smtp://user@[::1]:26", "::1", 26, .none),
      ("smtp://user@127.evil.example", "127.evil.example", 587, .startTLS),
      ("smtp://user@[2001:db8::1]:587", "2001:db8::1", 587, .startTLS),
    ])
  func servers(url: String, host: String, port: Int, security: MailServer.Security) throws {
    let server = try MailServer(url: url, password: "secret")
    #expect(server.host == host)
    #expect(Int(server.port) == port)
    #expect(server.security == security)
    #expect(server.user == (url.contains("%40") ? "us@er" : "user"))
  }

  @Test(
    "a malformed address of a server is refused",
    arguments: [
      "", "mail.example.com", "http://mail.example.com", "smtps://", "smtps://:465",
      "smtps://user:password@mail.example.com", "smtps://mail.example.com:0",
      "smtps://mail.example.com:70000", "smtps://mail.example.com:x", "smtps://[::1",
      "smtps://mail.example.com/path", "smtp://mail.example.com:587:99",
      "smtps://mail.example.com:+465", "smtps://[mail]:465", "smtps://[a:b]", "smtps://[::g]",
      "smtps://mail example.com", "smtps://a%zz@mail.example.com",
      "smtps://a%@mail.example.com", "smtps://mail.example.com\r\nEHLO",
    ])
  func malformed(url: String) {
    #expect(throws: MailServer.Failure.self) { try MailServer(url: url, password: "secret") }
  }

  @Test("without TLS only this machine is used, and a login is whole or missing")
  func rules() {
    #expect(throws: MailServer.Failure.encryptionRequired) {
      try MailServer(host: "mail.example.com", security: .none)
    }
    #expect(throws: MailServer.Failure.encryptionRequired) {
      try MailServer(host: "128.0.0.1", security: .none)
    }
    #expect(throws: MailServer.Failure.loginIncomplete) {
      try MailServer(url: "smtps://user@mail.example.com")
    }
    #expect(throws: MailServer.Failure.loginIncomplete) {
      try MailServer(url: "smtps://mail.example.com", password: "secret")
    }
    #expect(throws: MailServer.Failure.malformedLogin) {
      try MailServer(url: "smtps://user@mail.example.com", password: "a\nb")
    }
  }

  @Test(
    "an e-mail address is read, with or without a name",
    arguments: [
      ("ann@example.com", nil, "ann@example.com"),
      ("Ann Lee <ann.lee+news@mail.example.com>", "Ann Lee", "ann.lee+news@mail.example.com"),
      (#""Lee, Ann" <o'neil@[192.0.2.1]>"#, "Lee, Ann", "o'neil@[192.0.2.1]"),
      ("Größe <a@b>", "Größe", "a@b"), ("<a@b.example>", nil, "a@b.example"),
    ] as [(String, String?, String)])
  func addresses(text: String, name: String?, address: String) throws {
    let parsed = try MailAddress(parsing: text)
    #expect(parsed.name == name)
    #expect(parsed.address == address)
  }

  @Test(
    "what cannot be an e-mail address is refused",
    arguments: [
      "", "@", "a@", "@b", "a b@example.com", "a@b@c", "a..b@example.com", ".a@example.com",
      "a.@example.com", "a@-b.example", "a@b..example", "a@example.com\n", "a\r\n@example.com",
      "é@example.com", "a@exämple.com", "<a@example.com>", "\"a b\"@example.com",
      String(repeating: "a", count: 65) + "@example.com",
      "a@" + String(repeating: "b.", count: 130) + "example",
    ])
  func malformedAddresses(text: String) {
    #expect(throws: MailAddress.Failure.malformedAddress) { try MailAddress(text) }
  }

  @Test("a name of several lines is refused")
  func malformedName() {
    #expect(throws: MailAddress.Failure.malformedName) {
      try MailAddress("a@example.com", name: "A\r\nBcc: eve@example.com")
    }
  }
}
