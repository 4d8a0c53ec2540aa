import Foundation
import MailDelivery
import Storekeeper
import StorekeeperFixtures
import Testing

@Suite("Templates of e-mails", .timeLimit(.minutes(30)))
struct TemplateTests {
  /// Sends one message to an account and returns the e-mail as a program would show it.
  private func mail(
    _ templates: MailTemplates, language: String? = nil, tier: Tier = .premium,
    kind: OutboxMessage.Kind = .link
  ) async throws -> MailServerProcess.Mail {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("ann", kind: kind, tier: tier)
    let accounts = Addresses(
      addresses: ["ann": "ann@example.com"], languages: language.map { ["ann": $0] } ?? [:])
    _ = try await scene.delivery(try server.mailer(accounts: accounts, templates: templates))
      .deliverDue()
    return try #require(try server.mails.first)
  }

  /// Decodes the encoded words of RFC 2047 with the Python library's reader of e-mails.
  private func parsed(_ mail: MailServerProcess.Mail) throws -> [String: String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import email, email.policy, json, sys
      mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
      parts = {part.get_content_type(): part.get_content().replace("\\r\\n", "\\n") for part in mail.walk()
               if not part.is_multipart()}
      print(json.dumps({"fields": ",".join(mail.keys()), "subject": mail["Subject"],
                        "type": mail.get_content_type(), **parts}))
      """,
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(mail.content.utf8))
    try input.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode([String: String].self, from: data)
  }

  private static let fields =
    "Content-Type,Mime-Version,From,To,Subject,Date,Message-ID,Auto-Submitted"

  @Test("a value is text wherever it stands, whatever it is")
  func escaping() async throws {
    var templates = MailTemplates.standard
    templates.set(
      try MailTemplate(
        subject: "Level {{tier}}", text: "Level: {{ tier }}.\n.\nEnd",
        html: "<p title='{{tier}}'>{{tier}} &amp; <b>{{expireDate}}</b></p>"), for: "link")
    let hostile = "gold\r\nBcc: eve@example.com\r\n\r\n.\r\n<script>\"&'"
    let mail = try await mail(templates, tier: Tier(rawValue: hostile))
    #expect(mail.to == ["ann@example.com"])
    let parsed = try parsed(mail)
    #expect(parsed["fields"] == Self.fields)
    #expect(parsed["type"] == "multipart/alternative")
    #expect(parsed["subject"] == "Level gold  Bcc: eve@example.com    .  <script>\"&'")
    #expect(
      parsed["text/plain"] == "Level: gold  Bcc: eve@example.com    .  <script>\"&'.\n.\nEnd")
    let html = "gold  Bcc: eve@example.com    .  &lt;script&gt;&quot;&amp;&#39;"
    #expect(parsed["text/html"] == "<p title='\(html)'>\(html) &amp; <b>2024-01-31</b></p>")
  }

  @Test("a mark with an accent is escaped like any other")
  func accents() async throws {
    var templates = MailTemplates.standard
    templates.set(
      try MailTemplate(subject: "S", text: "T", html: "<p title=\"{{tier}}\">"), for: "link")
    let mail = try await mail(templates, tier: Tier(rawValue: "a\"\u{301} onload=x <\u{200D}b>"))
    #expect(
      try parsed(mail)["text/html"]
        == "<p title=\"a&quot;\u{301} onload=x &lt;\u{200D}b&gt;\">")
  }

  @Test(
    "a subject of any length and alphabet arrives as it was",
    arguments: [
      "Plain", "Größe", "订阅已关联到您的账户，请查收。如果不是您本人操作，请与我们联系。感谢您的支持与信任。",
      "Looks =?UTF-8?B?ZW5jb2RlZA==?= but is not", String(repeating: "long ", count: 60) + "end",
      "👩‍👩‍👧‍👦 family " + String(repeating: "👍🏽", count: 20),
    ])
  func subjects(subject: String) async throws {
    var templates = MailTemplates.standard
    templates.set(try MailTemplate(subject: subject, text: "T"), for: "link")
    let mail = try await mail(templates)
    #expect(try parsed(mail)["subject"] == subject)
    // RFC 2047 section 2: lines with encoded words have 76 characters at most, all of ASCII.
    let head = mail.content.split(separator: "\r\n\r\n", maxSplits: 1)[0]
    #expect(head.utf8.allSatisfy { $0 < 0x80 })
    for line in head.split(separator: "\r\n") where line.contains("=?UTF-8?") {
      #expect(line.utf8.count <= 76)
    }
  }

  @Test(
    "the language that comes nearest is taken",
    arguments: [
      ("zh-Hans-CN", "简"), ("zh-hans", "简"), ("zh-Hant-TW", "中"), ("zh", "中"), ("de-AT", "DE"),
      ("fr", "default"), (nil, "default"), ("", "default"), ("de-a-xx", "DE"), ("d", "default"),
      ("--", "default"), ("--x", "default"), ("-", "default"), ("x-", "default"), ("de--AT", "DE"),
    ] as [(String?, String)])
  func languages(language: String?, subject: String) async throws {
    let folder = try folder([
      "link.subject": "default\n", "link.txt": "T", "zh/link.subject": "中", "zh/link.txt": "T",
      "zh-Hans/link.subject": "简", "zh-Hans/link.txt": "T", "de/link.subject": "DE",
      "de/link.txt": "T", ".hidden": "x",
    ])
    let mail = try await mail(try MailTemplates(folder: folder.url.path), language: language)
    #expect(try parsed(mail)["subject"] == subject)
  }

  @Test("a folder may have templates of further kinds, and the plain ones stand in for the rest")
  func kinds() async throws {
    let folder = try folder(["fr/host.welcome.subject": "Bienvenue", "fr/host.welcome.txt": "T"])
    let templates = try MailTemplates(folder: folder.url.path)
    let welcome = try await mail(templates, kind: OutboxMessage.Kind(rawValue: "host.welcome"))
    #expect(try parsed(welcome)["subject"] == "Bienvenue")
    let unlink = try await mail(templates, kind: .unlink)
    #expect(try parsed(unlink)["subject"]?.contains("no longer linked") == true)
  }

  @Test(
    "a folder with a mistake is refused, with the path",
    arguments: [
      (["link.subject": "S"], "link", MailTemplateFailure.Reason.incomplete),
      (["link.txt": "S"], "link", .incomplete),
      (
        ["link.subject": "S", "link.txt": "{{level}}"], "link", .fault(.unknownPlaceholder("level"))
      ),
      (["link.subject": "S", "link.txt": "{{tier"], "link", .fault(.unclosedPlaceholder)),
      (["link.subject": "A\nB", "link.txt": "T"], "link", .fault(.malformedSubject)),
      (["link.subject": "\n", "link.txt": "T"], "link", .fault(.malformedSubject)),
      (["link.subject": "S", "link.txt": " \n"], "link", .fault(.emptyText)),
      (["notes.md": "x"], "notes.md", .unexpectedFile),
      (["not a language/link.txt": "x"], "not a language", .unexpectedFile),
      (["de/more/link.txt": "x"], "de/more", .unexpectedFile),
      (["de/link.subject": "S"], "de/link", .incomplete),
      (
        [
          "DE/link.subject": "S", "DE/link.txt": "T", "de/link.subject": "S", "de/link.txt": "T",
        ], "de", .unexpectedFile
      ),
      (
        ["link.subject": "S", "link.txt": String(repeating: "x", count: 300_000)], "link.txt",
        .notText
      ),
    ] as [([String: String], String, MailTemplateFailure.Reason)])
  func mistakes(
    files: [String: String], name: String, reason: MailTemplateFailure.Reason
  ) throws {
    let folder = try folder(files)
    let failure = #expect(throws: MailTemplateFailure.self) {
      try MailTemplates(folder: folder.url.path)
    }
    #expect(failure?.path == "\(folder.url.path)/\(name)")
    #expect(failure?.reason == reason)
  }

  @Test("the kinds that are e-mails are those with a template, plain or of the host's own")
  func kinds() throws {
    let plain = MailTemplates.standard.kinds
    #expect(plain.isSuperset(of: [.link, .unlink, .transfer]))
    #expect(!plain.contains(.priceIncrease))
    let folder = try folder(["price_increase.subject": "S", "price_increase.txt": "T"])
    let kinds = try MailTemplates(folder: folder.url.path).kinds
    #expect(kinds == plain.union([.priceIncrease]))
  }

  @Test("a folder that is not there, and a file that is not text, are refused")
  func unreadable() throws {
    let folder = try folder(["link.subject": "S", "link.txt": "T"])
    #expect(throws: MailTemplateFailure.self) {
      try MailTemplates(folder: folder.url.path + "/none")
    }
    try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: folder.url.path + "/link.txt"))
    let failure = #expect(throws: MailTemplateFailure.self) {
      try MailTemplates(folder: folder.url.path)
    }
    #expect(failure?.reason == .notText)
  }
}

/// A folder with files.
private func folder(_ files: [String: String]) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  for (name, text) in files { try folder.write(text, to: name) }
  return folder
}
