import Foundation
import InMemoryStorage
import MailDelivery
import Storekeeper
import Testing

@Suite("Mailing through a real SMTP server", .timeLimit(.minutes(30)))
struct MailingTests {
  @Test("link, expired link and unlink arrive, each on the one connection of the batch")
  func standard() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("ann")
    try await scene.add("bob", isAlreadyExpired: true)
    try await scene.add("cid", kind: .unlink)
    let report = try await scene.delivery(try server.mailer()).deliverDue()
    #expect(report == OutboxDelivery.Report(delivered: 3))
    let mails = try server.mails
    #expect(mails.map(\.to) == [["ann@example.com"], ["bob@example.com"], ["cid@example.com"]])
    #expect(mails.allSatisfy { $0.from == "news@example.com" })
    #expect(Set(mails.map(\.session)).count == 1)
    let link = try #require(mails.first)
    #expect(link.field("From") == #""Example News" <news@example.com>"#)
    #expect(link.field("To") == "ann@example.com")
    #expect(link.field("Date") == "Tue, 14 Nov 2023 22:13:20 +0000")
    #expect(link.field("Auto-Submitted") == "auto-generated")
    #expect(link.field("MIME-Version") == "1.0")
    #expect(link.text.contains("Membership: premium\r\n"))
    #expect(link.text.contains("2024-01-31"))
    #expect(mails[1].text.contains("expired on\r\n2024-01-31"))
    #expect(mails[2].text.contains("no longer linked"))
    #expect(Set(mails.compactMap { $0.field("Message-ID") }).count == 3)
  }

  @Test("what is only for a while refused is sent later, under the same Message-ID")
  func greylisted() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("greylisted", "ann")
    let delivery = scene.delivery(try server.mailer())
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 1, failed: 1))
    #expect(scene.incidents.count == 1)
    #expect(scene.incidents[0].contains("451 4.7.1"))
    scene.advance(by: 61)
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 1))
    #expect(try server.mails.map(\.to) == [["ann@example.com"], ["greylisted@example.com"]])
  }

  @Test("what is refused for ever is parked with the codes, and can be sent again")
  func refused() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("unknown", "spam", "ann")
    let delivery = scene.delivery(try server.mailer())
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 1, parked: 2))
    let parked = try await scene.parked
    #expect(
      parked.map(\.reason) == [
        ParkingReason(.recipientRefused, detail: "550 5.1.1"),
        ParkingReason(.contentRefused, detail: "554 5.7.1"),
      ])
    #expect(try await scene.backlog == OutboxBacklog(parked: 2))
    scene.advance(by: 86_400)
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report())
    let number = try #require(parked.first?.number)
    #expect(try await scene.store.write { try await $0.outbox.sendAgain(number) })
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(parked: 1))
    #expect(try server.mails.map(\.to) == [["ann@example.com"]])
  }

  @Test("a sender that is refused for ever parks the message; a login that is missing does not")
  func sender() async throws {
    let (scene, refusing) = (MailScene(), try MailServerProcess("--refuse-sender", "550 5.7.1 No"))
    try await scene.add("ann")
    #expect(
      try await scene.delivery(try refusing.mailer()).deliverDue()
        == OutboxDelivery.Report(parked: 1))
    #expect(
      try await scene.parked.map(\.reason)
        == [ParkingReason(.senderRefused, detail: "550 5.7.1")])
    let demanding = try MailServerProcess("--refuse-sender", "530 5.7.0 Authentication required")
    try await scene.add("bob")
    #expect(
      try await scene.delivery(try demanding.mailer()).deliverDue()
        == OutboxDelivery.Report(failed: 1))
    #expect(try await scene.parked.count == 1)
  }

  @Test("what the server says to a goodbye changes no refusal")
  func goodbye() async throws {
    for (goodbye, outcome) in [
      ("421 4.3.2 Closing", OutboxDelivery.Report(delivered: 1, failed: 1, parked: 1)),
      ("550 5.1.1 No", OutboxDelivery.Report(delivered: 1, failed: 1, parked: 1)),
    ] {
      let (scene, server) = (MailScene(), try MailServerProcess("--goodbye", goodbye))
      try await scene.add("unknown", "greylisted", "ann")
      #expect(try await scene.delivery(try server.mailer()).deliverDue() == outcome)
      #expect(
        try await scene.parked.map(\.reason)
          == [ParkingReason(.recipientRefused, detail: "550 5.1.1")])
    }
  }

  @Test("a server that never says goodbye is not waited for")
  func noGoodbye() async throws {
    let (scene, process) = (MailScene(), try MailServerProcess("--hang-goodbye"))
    try await scene.add("ann")
    var server = try process.plain()
    server.idleLimit = .milliseconds(10)
    let mailer = try process.mailer(server)
    #expect(try await scene.delivery(mailer).deliverDue() == OutboxDelivery.Report(delivered: 1))
    let start = ContinuousClock.now
    while !FileManager.default.fileExists(atPath: "\(process.folder)/mails.ended") {
      try #require(start.duration(to: .now) < .seconds(60), "the connection was not ended")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test("a server that relays nothing for this sender parks one message, and the others wait")
  func relayDenied() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("foreign", "ann", "bob")
    let mailer = try server.mailer(pause: .seconds(600))
    #expect(
      try await scene.delivery(mailer).deliverDue()
        == OutboxDelivery.Report(postponed: 2, parked: 1))
    #expect(
      try await scene.parked.map(\.reason)
        == [ParkingReason(.senderRefused, detail: "554 5.7.1")])
  }

  @Test("a mailbox that is full is the recipient's, and not due to the e-mail")
  func fullMailbox() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("full")
    _ = try await scene.delivery(try server.mailer()).deliverDue()
    #expect(
      try await scene.parked.map(\.reason) == [ParkingReason(.recipientRefused, detail: "552")])
  }

  @Test("an e-mail whose turn comes too late is not begun")
  func lateTurn() async throws {
    let server = try MailServerProcess()
    let mailer = try server.mailer(
      try server.plain(timeLimit: .seconds(5), acceptanceLimit: .seconds(20)))
    let (first, second) = (MailScene(), MailScene())
    try await first.add("late")
    try await second.add("ann")
    let worker = Task { try await first.delivery(mailer).deliverDue() }
    while try server.mails.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    #expect(
      try await second.delivery(mailer).deliverDue() == OutboxDelivery.Report(postponed: 1))
    #expect(try await worker.value == OutboxDelivery.Report(failed: 1))
    #expect(try server.mails.count == 1)
  }

  @Test("a connection that is cut has the message sent again, under the same Message-ID")
  func cut() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("cut", "cut-early", "leaving", "ann")
    let delivery = scene.delivery(try server.mailer())
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 1, failed: 3))
    scene.advance(by: 3600)
    _ = try await delivery.deliverDue()
    let mails = try server.mails
    #expect(
      mails.map(\.to) == [["cut@example.com"], ["ann@example.com"], ["cut@example.com"]])
    #expect(mails[0].field("Message-ID") == mails[2].field("Message-ID"))
    #expect(mails[0].field("Message-ID") != mails[1].field("Message-ID"))
    #expect(try await scene.parked.isEmpty)
  }

  @Test("a server that answers nothing costs its time limit once, and what comes next is postponed")
  func hanging() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("hanging", "ann", "bob")
    // No busy machine makes the pause end before it was looked at.
    let mailer = try server.mailer(
      try server.plain(timeLimit: .seconds(5)), pause: .seconds(3000))
    #expect(
      try await scene.delivery(mailer).deliverDue()
        == OutboxDelivery.Report(failed: 1, postponed: 2))
    // What comes now is not even taken out of the outbox.
    #expect(mailer.heldKinds.isSuperset(of: [.link, .unlink]))
    try await scene.add("cid")
    #expect(try await scene.delivery(mailer).deliverDue() == OutboxDelivery.Report())
    #expect(try server.mails.isEmpty)
  }

  @Test("those that a hanging server kept from being tried come before the one that it failed")
  func afterHanging() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("hanging", "ann", "bob")
    _ = try await scene.delivery(
      try server.mailer(try server.plain(timeLimit: .seconds(5)), pause: .seconds(50))
    ).deliverDue()
    // The pause is over; the one that failed has another nine seconds to wait.
    scene.advance(by: 51)
    _ = try await scene.delivery(try server.mailer()).deliverDue()
    #expect(try server.mails.map(\.to) == [["ann@example.com"], ["bob@example.com"]])
  }

  @Test("a server that thinks longer about an e-mail than it may take to greet is waited for")
  func slow() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess("--slowness", "7"))
    try await scene.add("slow")
    let mailer = try server.mailer(try server.plain(timeLimit: .seconds(5)))
    #expect(try await scene.delivery(mailer).deliverDue() == OutboxDelivery.Report(delivered: 1))
    #expect(try server.mails.count == 1)
  }

  @Test("an e-mail that may have been taken is sent three times at most, then parked")
  func outcomeUnknown() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("late", "ann")
    let delivery = scene.delivery(
      try server.mailer(try server.plain(acceptanceLimit: .seconds(1))))
    for _ in 0..<6 {
      _ = try await delivery.deliverDue()
      scene.advance(by: 43_200)
    }
    let mails = try server.mails.filter { $0.to == ["late@example.com"] }
    #expect(mails.count == 3)
    #expect(Set(mails.compactMap { $0.field("Message-ID") }).count == 1)
    #expect(try await scene.parked.map(\.reason.cause) == [.outcomeUnknown])
    #expect(try server.mails.contains { $0.to == ["ann@example.com"] })
  }

  @Test("one account that cannot be asked holds up no other")
  func brokenAccount() async throws {
    struct Broken: AccountDirectory {
      struct Failure: Error {}
      func account(_ id: AccountID) -> Account? { Account(id: id) }
      func emailAddress(of id: AccountID) throws -> String? {
        guard id != "broken" else { throw Failure() }
        return "\(id.rawValue)@example.com"
      }
      // Without the language an e-mail is sent all the same.
      func preferredLanguage(of id: AccountID) throws -> String? { throw Failure() }
    }
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("broken", "ann", "bob")
    let delivery = scene.delivery(try server.mailer(accounts: Broken(), pause: .seconds(600)))
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 2, failed: 1))
    scene.advance(by: 61)
    try await scene.add("cid")
    #expect(try await delivery.deliverDue() == OutboxDelivery.Report(delivered: 1, failed: 1))
  }

  @Test("a sender that is refused parks one message, and the others wait meanwhile")
  func refusedSender() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess("--refuse-sender", "553 5.1.8 No"))
    try await scene.add("ann", "bob", "cid")
    let mailer = try server.mailer(pause: .seconds(600))
    #expect(
      try await scene.delivery(mailer).deliverDue()
        == OutboxDelivery.Report(postponed: 2, parked: 1))
  }

  @Test("a greeting that refuses, hangs, or never comes postpones all, and parks nothing")
  func greeting() async throws {
    let scene = MailScene()
    try await scene.add("ann", "bob")
    for options in [["--greeting", "554 5.3.2 No"], ["--hang-greeting"]] {
      let server =
        options.count == 1
        ? try MailServerProcess(options[0]) : try MailServerProcess(options[0], options[1])
      let mailer = try server.mailer(
        try server.plain(timeLimit: .milliseconds(500)), pause: .seconds(600))
      #expect(
        try await scene.delivery(mailer).deliverDue() == OutboxDelivery.Report(postponed: 2))
      scene.advance(by: 601)
    }
    // The port of a server that is gone.
    let gone = try MailServerProcess().plain()
    let mailer = OutboxMailer(
      server: gone, from: try MailAddress("news@example.com"), accounts: Everybody())
    #expect(try await scene.delivery(mailer).deliverDue() == OutboxDelivery.Report(postponed: 2))
    #expect(try await scene.parked.isEmpty)
  }

  @Test("an account without an address, or with one that cannot be, parks its message")
  func addresses() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("nobody", "broken", "injecting", "ann")
    let accounts = Addresses(addresses: [
      "broken": "not an address", "injecting": "a@example.com>\r\nRCPT TO:<eve@example.com",
      "ann": " ann@example.com\n",
    ])
    #expect(
      try await scene.delivery(try server.mailer(accounts: accounts)).deliverDue()
        == OutboxDelivery.Report(delivered: 1, parked: 3))
    #expect(
      try await scene.parked.map(\.reason.cause)
        == [.addressMissing, .addressMalformed, .addressMalformed])
    #expect(try server.mails.map(\.to) == [["ann@example.com"]])
  }

  @Test("an account that is known by its second identifier alone is found")
  func identifierInFirstPlace() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    let accounts = InMemoryAccountDirectory()
    accounts.add(Account(id: "ann", secondID: "wx-ann"), emailAddress: "ann@example.com")
    try await scene.add("wx-ann", kind: .transfer)
    #expect(
      try await scene.delivery(try server.mailer(accounts: accounts)).deliverDue()
        == OutboxDelivery.Report(delivered: 1))
    #expect(try server.mails.map(\.to) == [["ann@example.com"]])
  }

  @Test("accounts that cannot be asked hold back all after three failures, and nothing is parked")
  func accountsFail() async throws {
    struct Away: AccountDirectory {
      struct Failure: Error {}
      func account(_ id: AccountID) throws -> Account? { throw Failure() }
      func emailAddress(of id: AccountID) throws -> String? { throw Failure() }
    }
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("ann", "bob", "cid", "dora", "eve")
    let mailer = try server.mailer(accounts: Away(), pause: .seconds(600))
    #expect(
      try await scene.delivery(mailer).deliverDue()
        == OutboxDelivery.Report(failed: 3, postponed: 2))
    #expect(scene.incidents[0].contains("MailAccountsFailure"))
    scene.advance(by: 601)
    #expect(try await scene.delivery(try server.mailer()).deliverDue().delivered == 5)
  }

  @Test("accounts that answer between failures hold back nobody, even where they have no address")
  func accountsFailNowAndThen() async throws {
    struct Spotty: AccountDirectory {
      struct Failure: Error {}
      func account(_ id: AccountID) -> Account? { Account(id: id) }
      func emailAddress(of id: AccountID) throws -> String? {
        if id.rawValue.hasPrefix("broken") { throw Failure() }
        return id == "nobody" ? nil : "\(id.rawValue)@example.com"
      }
    }
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("broken-1", "broken-2", "nobody", "broken-3", "ann")
    let mailer = try server.mailer(accounts: Spotty(), pause: .seconds(600))
    #expect(
      try await scene.delivery(mailer).deliverDue()
        == OutboxDelivery.Report(delivered: 1, failed: 3, parked: 1))
  }

  @Test("an account with a second identifier alone is written to once it has a first one")
  func secondIdentifier() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    let accounts = InMemoryAccountDirectory([Account(id: "ann", secondID: "union-ann")])
    accounts.add(Account(id: "bob", secondID: "union-bob"), emailAddress: "bob@example.com")
    let now = scene.now
    try await scene.store.write { records in
      for union in ["union-ann", "union-bob", "union-nobody"] {
        try await records.outbox.add(
          OutboxMessage(
            kind: .link, account: Account(secondID: AccountID(stored: union)),
            originalTransactionID: "1", tier: .premium, expireDate: nil, isAlreadyExpired: false),
          now: now)
      }
    }
    #expect(
      try await scene.delivery(try server.mailer(accounts: accounts)).deliverDue()
        == OutboxDelivery.Report(delivered: 1, parked: 2))
    #expect(try server.mails.map(\.to) == [["bob@example.com"]])
  }

  @Test("a stopped server holds nobody up when the delivery is cancelled")
  func cancelled() async throws {
    let (scene, server) = (MailScene(), try MailServerProcess())
    try await scene.add("hanging", "ann")
    let delivery = scene.delivery(try server.mailer(try server.plain(timeLimit: .seconds(600))))
    let worker = Task { try await delivery.deliverDue() }
    while !FileManager.default.fileExists(atPath: "\(server.folder)/mails.hanging") {
      try await Task.sleep(for: .milliseconds(20))
    }
    worker.cancel()
    _ = try? await worker.value
    #expect(try await scene.backlog.waiting == 2)
  }

  @Test("takes the kinds that have a template, and ignores others")
  func otherKinds() async throws {
    let server = try MailServer(host: "127.0.0.1", security: .none)
    let mailer = OutboxMailer(
      server: server, from: try MailAddress("news@example.com"), accounts: Everybody())
    #expect(
      mailer.kinds == [.link, .unlink, .transfer, OutboxMessage.Kind(rawValue: "link-expired")])
    #expect(mailer.heldKinds == [])
    let message = OutboxMessage(
      kind: .consumption, originalTransactionID: "1", reference: "a")
    try await mailer.deliver(message, number: 1)
  }
}
