public import PurchaseStorage
public import ReceiptModels
public import Storekeeper

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
/// let outbox = OutboxDelivery(store: store, handlers: [mailer, events])
/// ```
///
/// A message whose kind has a template is sent to the e-mail address of its account, in the account's language; by
/// default these are `link`, `unlink` and `transfer`. E-mails are sent one after the other on one connection, which is
/// kept for a while.
///
/// A message that is delivered again has the same `Message-ID`, so that mail programs can show it once. A message
/// that the server refuses for ever is parked. One that it refuses for now is tried again. After a failure of the
/// server, no message is tried for ``pause``; so it is after failures of the accounts for several messages in a row.
public struct OutboxMailer: OutboxHandler {
  public let server: MailServer
  public let sender: MailAddress
  public let templates: MailTemplates

  /// The time for which nothing is tried after a failure of the server.
  public var pause: Duration = .seconds(30)

  private let accounts: any AccountDirectory
  private let now: @Sendable () -> Date
  private let lane: SMTPLane
  private let state = MailerState()

  /// Creates a handler.
  ///
  /// The sender's domain is also that of each `Message-ID`.
  public init(
    server: MailServer, from sender: MailAddress, accounts: any AccountDirectory,
    templates: MailTemplates = .standard,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.server = server
    self.sender = sender
    self.accounts = accounts
    self.templates = templates
    self.now = now
    lane = SMTPLane(server)
  }

  /// The kinds that have a template.
  public var kinds: Set<OutboxMessage.Kind>? { templates.kinds }

  /// None, or for ``pause`` after a failure of the server all that have a template.
  public var heldKinds: Set<OutboxMessage.Kind> {
    state.restingTime == nil ? [] : templates.kinds
  }

  /// Sends the e-mail about a message.
  public func deliver(_ message: OutboxMessage, number: Int) async throws {
    let name = MailTemplates.name(for: message)
    guard let template = templates.template(name, language: nil) else { return }
    if let time = state.restingTime { throw MailFailure(.paused, pause: time) }
    guard let reader = try await reader(of: message), !reader.address.isBlank else {
      throw MailFailure(.addressMissing, pause: pause)
    }
    guard let recipient = try? MailAddress(String(reader.address.trimmed)) else {
      throw MailFailure(.addressMalformed, pause: pause)
    }
    let translated = templates.template(name, language: reader.language) ?? template
    let email = Email(
      sender: sender, recipient: recipient,
      content: translated.content(message.values),
      messageID: try message.messageID(number: number, domain: sender.domain), date: now())
    try await send(email, number: number)
  }

  private func send(_ email: Email, number: Int) async throws {
    guard let reason = await lane.send(email) else { return state.forget(number) }
    if Task.isCancelled, reason == .interrupted(.session) { throw CancellationError() }
    let failure = MailFailure(state.final(reason, of: number), pause: pause)
    if failure.isOfServer { state.rest(for: pause) }
    throw failure
  }

  /// Returns the address and the language of the account; nil if there is no address.
  private func reader(
    of message: OutboxMessage
  ) async throws -> (address: String, language: String?)? {
    guard let account = message.account else { return nil }
    do {
      var id = try await primaryID(of: account)
      var address = if let id { try await accounts.emailAddress(of: id) } else { String?.none }
      if address == nil, let second = account.primaryID {
        // A purchase that was claimed under the second identifier names it alone.
        id = try await accounts.account(primaryID: nil, secondID: second)?.primaryID
        address = if let id { try await accounts.emailAddress(of: id) } else { nil }
      }
      state.noteAccounts(areThere: true, pause: pause)
      guard let id, let address else { return nil }
      // Without the language the e-mail can be sent all the same.
      return (address, try? await accounts.preferredLanguage(of: id))
    } catch  where !(error is CancellationError) {
      state.noteAccounts(areThere: false, pause: pause)
      throw MailAccountsFailure(cause: error)
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
