import RedisReceiptStorage
import Testing

@Suite("The address of a Redis server")
struct RedisURLTests {
  private typealias Configuration = RedisReceiptStore.Configuration

  @Test(
    "names host, port, TLS, user, password and database",
    arguments: [
      ("redis://localhost", Configuration(host: "localhost")),
      ("REDIS://localhost/", Configuration(host: "localhost")),
      ("redis://10.0.0.7:6380/3", Configuration(host: "10.0.0.7", port: 6380, database: 3)),
      ("rediss://cache.example.com", Configuration(host: "cache.example.com", usesTLS: true)),
      ("redis://[::1]", Configuration(host: "::1")),
      ("redis://[2001:db8::7]:7000", Configuration(host: "2001:db8::7", port: 7000)),
      (
        "redis://store:secret@localhost",
        Configuration(host: "localhost", username: "store", password: "secret")
      ),
      ("redis://:secret@localhost", Configuration(host: "localhost", password: "secret")),
      ("redis://store@localhost", Configuration(host: "localhost", username: "store")),
      (
        "rediss://a%40b:p%3A%2F%40%25%c3%a9@[::1]:1/15",
        Configuration(
          host: "::1", port: 1, usesTLS: true, username: "a@b", password: "p:/@%é", database: 15)
      ),
    ])
  fileprivate func valid(url: String, configuration: RedisReceiptStore.Configuration) throws {
    #expect(try Configuration(url: url) == configuration)
  }

  @Test(
    "is refused by its part, without being quoted",
    arguments: [
      ("", .scheme), ("localhost", .scheme), ("http://localhost", .scheme),
      ("unix:///run/redis.sock", .scheme), ("redis:localhost", .scheme),
      ("redis://", .host), ("redis:///1", .host), ("redis://:6379", .host),
      ("redis://a b", .host), ("redis://[::1", .host), ("redis://[localhost]", .host),
      ("redis://é", .host), ("redis://%31", .host), ("redis://a\n", .host),
      ("redis://a:", .port), ("redis://a:0", .port), ("redis://a:65536", .port),
      ("redis://a:+1", .port), ("redis://a:b", .port), ("redis://[::1]x", .port),
      ("redis://a/x", .database), ("redis://a/-1", .database), ("redis://a/1/2", .database),
      ("redis://a/99999999999999999999", .database),
      ("redis://a%4:b@h", .credentials), ("redis://a:%zz@h", .credentials),
      ("redis://a:b:c@h", .credentials), ("redis://a:b@c@h", .credentials),
      ("redis://a:%ff@h", .credentials),
      ("redis://a?timeout=1", .rest), ("redis://a/1#b", .rest),
    ] as [(String, RedisReceiptStore.Configuration.URLFailure)])
  func invalid(url: String, failure: RedisReceiptStore.Configuration.URLFailure) {
    #expect(throws: failure) { try RedisReceiptStore.Configuration(url: url) }
  }

  @Test("is printed without user and password, also by dump and by the store")
  func printing() throws {
    let configuration = try Configuration(url: "rediss://hidden-user:hidden-word@[::1]:7000/2")
    var dumped = ""
    dump(configuration, to: &dumped)
    dump(RedisReceiptStore(configuration), to: &dumped)
    let texts = [
      "\(configuration)", String(reflecting: configuration), dumped,
      "\(RedisReceiptStore(configuration))",
    ]
    #expect(texts[0] == "rediss://[::1]:7000/2")
    for text in texts { #expect(!text.contains("hidden")) }
  }
}
