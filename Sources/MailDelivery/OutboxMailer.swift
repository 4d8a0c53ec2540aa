public import PurchaseStorage
public import ReceiptModels
public import Storekeeper
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A handler of the outbox that sends e-mails to customers through a mail server.
///
/// ```swift
/// let mailer = OutboxMailer(
///   server: try MailServer(url: "smtps://news@mail.example.com", password: password),
///   from: try MailAddress("news@example.com", name: "Example News"), accounts: accounts)
/// let outbox = OutboxDelivery(store: store, handler: mailer)
/// ```
///
/// A message whose kind has a template is sent to the e-mail address of its account, in the account's language; by
/// default these are `link` and `unlink`. Every other message goes to the handler of other messages. E-mails are sent
/// one after the other on one connection, which is kept for a while.
///
/// A message that is delivered again has the same `Message-ID`, so that it is one e-mail to those who look at it.
/// A refusal for ever parks the message, a refusal for a while has it tried again. After a failure of the
/// server, other messages are not tried for ``pause``.
public struct OutboxMailer: OutboxHandler {
  /// The mail server.
  public let server: MailServer
  /// The sender.
  public let sender: MailAddress
  /// The templates.
  public let templates: MailTemplates
  /// The handler of all other messages.
  public let otherMessages: (any OutboxHandler)?

  /// The time for which nothing is tried after a failure of the server.
  public var pause: Duration = .seconds(30)

  private let accounts: any AccountDirectory
  private let now: @Sendable () -> Date
  private let lane: SMTPLane
  private let rest = RestingTime()

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - server: The mail server.
  ///   - sender: The sender; its domain is also that of each `Message-ID`.
  ///   - accounts: The host's accounts, with their addresses and languages.
  ///   - templates: The templates.
  ///   - otherMessages: The handler of all other messages; nil to drop them.
  ///   - now: Returns the current time, for the header `Date`.
  public init(
    server: MailServer, from sender: MailAddress, accounts: any AccountDirectory,
    templates: MailTemplates = .standard, otherMessages: (any OutboxHandler)? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.server = server
    self.sender = sender
    self.accounts = accounts
    self.templates = templates
    self.otherMessages = otherMessages
    self.now = now
    lane = SMTPLane(server)
  }

  /// The kinds that the handler of other messages leaves in the outbox, and for ``pause`` after a failure of the
  /// server also those of e-mails.
  public var heldKinds: Set<OutboxMessage.Kind> {
    let mine = Set(templates.names.map { OutboxMessage.Kind(rawValue: $0) })
    let others = otherMessages?.heldKinds.subtracting(mine) ?? []
    return rest.left == nil ? others : others.union(mine)
  }

  /// Sends the e-mail about a message, or passes the message on.
  ///
  /// - Throws: ``MailFailure``, ``MailAccountsFailure``, or an error of the other handler.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    let name = MailTemplates.name(for: message)
    guard templates.has(name) else {
      try await otherMessages?.deliver(message, number: number)
      return
    }
    if let time = rest.left { throw MailFailure(.paused, pause: time) }
    guard let email = try await email(message, number: number, template: name) else { return }
    guard let reason = await lane.send(email) else { return }
    if Task.isCancelled, case .interrupted(.session) = reason { throw CancellationError() }
    let failure = MailFailure(reason, pause: pause)
    if failure.isOfServer { rest.begin(pause) }
    throw failure
  }

  private func email(
    _ message: OutboxMessage, number: Int, template name: String
  ) async throws -> Email? {
    guard let (text, language) = try await reader(of: message), !text.isBlank else {
      throw MailFailure(.addressMissing, pause: pause)
    }
    guard let recipient = try? MailAddress(String(text.trimmed)) else {
      throw MailFailure(.addressMalformed, pause: pause)
    }
    guard let template = templates.template(name, language: language) else { return nil }
    return Email(
      sender: sender, recipient: recipient, content: template.content(message.values),
      messageID: message.messageID(number: number, domain: sender.domain), date: now())
  }
}

extension OutboxMailer {
  /// Returns the address and the language of the account; nil if there is no address.
  private func reader(
    of message: OutboxMessage
  ) async throws -> (address: String, language: String?)? {
    guard let account = message.account else { return nil }
    do {
      guard let id = try await primaryID(of: account),
        let address = try await accounts.emailAddress(of: id)
      else { return nil }
      return (address, try await accounts.preferredLanguage(of: id))
    } catch  where !(error is CancellationError) {
      // It is as with the server: other messages would fail as well.
      rest.begin(pause)
      throw MailAccountsFailure(cause: error, pause: pause)
    }
  }

  /// Returns the first identifier; an account with the second one alone may have got one since.
  private func primaryID(of account: Account) async throws -> AccountID? {
    if let id = account.primaryID { return id }
    return try await accounts.account(primaryID: nil, secondID: account.secondID)?.primaryID
  }
}

extension OutboxMessage {
  /// The values that templates show.
  fileprivate var values: [MailPlaceholder: String] {
    let values: [MailPlaceholder: String?] = [
      .account: account?.primaryID?.rawValue, .tier: tier?.rawValue,
      .expireDate: expireDate?.description, .originalTransactionID: originalTransactionID,
    ]
    return values.compactMapValues(\.self)
  }
}

/// The time for which a mail server is left alone.
private final class RestingTime: Sendable {
  private let end = Locked<ContinuousClock.Instant?>(nil)

  func begin(_ time: Duration) { end.withLock { $0 = .now + time } }

  /// The time that is left; nil if it is over.
  var left: Duration? {
    end.withLock { end in
      guard let moment = end else { return nil }
      let left = ContinuousClock.now.duration(to: moment)
      return left > .zero ? left : nil
    }
  }
}
