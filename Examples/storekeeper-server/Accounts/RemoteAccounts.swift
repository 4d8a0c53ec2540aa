import CurlTransport
import HTTPMessages
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The accounts of a directory that is asked over HTTP.
///
/// A question is `GET URL?id=…`, `GET URL?unionId=…`, or has both. Status 200 answers with the account in
/// JSON (``RemoteAccount``), and 404 says that there is none; anything else is a failure. Answers are kept for
/// a minute, failures never. Equal questions under way are asked once.
final class RemoteAccounts: AccountDirectory {
  /// The time limit of a question, waiting included.
  static let timeLimit = Duration.seconds(2)
  /// The maximum size of an answer in bytes.
  static let answerLimit = 1 << 16
  /// The maximum number of questions under way; others wait.
  static let questionLimit = 16

  private let url: String
  private let headers: HTTPHeaders
  private let transport: ObservedTransport
  private let now: @Sendable () -> Date
  private let line = WaitingLine(Array(0..<questionLimit))
  private let flights = SingleFlight<AccountQuestion, Result<RemoteAccount?, AccountsFailure>>()
  private let cache = Locked(AccountCache())

  init(
    url: String, token: String?, telemetry: (any Telemetry)? = nil,
    now: @escaping @Sendable () -> Date
  ) throws {
    self.url = url
    transport = ObservedTransport(CurlHTTPTransport(), asking: nil, telemetry: telemetry)
    var headers: HTTPHeaders = [.accept: "application/json"]
    if let token { try headers.set("Bearer \(token)", for: .authorization) }
    self.headers = headers
    self.now = now
  }

  func account(_ id: AccountID) async throws -> Account? {
    try await answer(to: AccountQuestion(primaryID: id))?.account
  }

  func account(primaryID: AccountID?, secondID: AccountID?) async throws -> Account? {
    guard let question = AccountQuestion(primaryID: primaryID, secondID: secondID) else {
      return nil
    }
    return try await answer(to: question)?.account
  }

  func emailAddress(of id: AccountID) async throws -> String? {
    try await answer(to: AccountQuestion(primaryID: id))?.emailAddress
  }

  func preferredLanguage(of id: AccountID) async throws -> String? {
    try await answer(to: AccountQuestion(primaryID: id))?.language
  }

  /// Returns the account of a kept answer, or else of the directory's; nil if there is none.
  private func answer(to question: AccountQuestion) async throws -> RemoteAccount? {
    if let kept = kept(question) { return kept.account }
    let result = await flights.value(for: question) {
      // One may have arrived since the caller looked: each is kept before its question ends.
      if let kept = self.kept(question) { return .success(kept.account) }
      return await self.asked(question)
    }
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  private func kept(_ question: AccountQuestion) -> AccountCache.Entry? {
    let now = now()
    return cache.withLock { $0.answer(to: question, at: now) }
  }

  private func asked(_ question: AccountQuestion) async -> Result<RemoteAccount?, AccountsFailure> {
    let date = now()
    do throws(AccountsFailure) {
      let account = try await fetch(question)
      cache.withLock { $0.keep(account, as: question, at: date) }
      return .success(account)
    } catch {
      return .failure(error)
    }
  }

  /// Asks the directory, as soon as fewer questions than the limit are under way.
  private func fetch(_ question: AccountQuestion) async throws(AccountsFailure) -> RemoteAccount? {
    let stopwatch = Stopwatch(ContinuousClock())
    let place: Int
    do { place = try await line.take(within: Self.timeLimit) } catch {
      throw error is WaitedTooLong ? .busy : .cancelled
    }
    defer { line.giveBack(place) }
    let rest = Self.timeLimit - stopwatch.elapsed
    guard rest > .zero else { throw .busy }
    let response: HTTPResponseMessage
    do {
      var request = HTTPRequestMessage(
        url: question.url(at: url), headers: headers, timeout: rest,
        responseLimit: Self.answerLimit)
      request.call = "account"
      response = try await transport.send(request)
    } catch {
      throw (error as? HTTPTransportFailure).map { .exchange($0.reason) } ?? .cancelled
    }
    switch response.status {
    case .ok: return try RemoteAccount(response.body, to: question)
    case .notFound: return nil
    default: throw .status(response.status)
    }
  }
}

/// A question to a directory of accounts: the account with these identifiers, of which one may be missing.
struct AccountQuestion: Hashable, Sendable {
  let primaryID: AccountID?
  let secondID: AccountID?

  /// Creates a question; nil without any identifier.
  init?(primaryID: AccountID?, secondID: AccountID?) {
    guard primaryID != nil || secondID != nil else { return nil }
    self.primaryID = primaryID
    self.secondID = secondID
  }

  /// Creates a question about an account of the host's own identifier.
  init(primaryID: AccountID) {
    self.primaryID = primaryID
    secondID = nil
  }

  /// Returns the URL that asks the question, of a directory whose URL has no query.
  func url(at directory: String) -> String {
    let items = [("id", primaryID), ("unionId", secondID)].compactMap { name, id in
      id.map { "\(name)=\($0.rawValue.percentEncoded)" }
    }
    return "\(directory)?\(items.joined(separator: "&"))"
  }
}

/// The reason why a directory of accounts has not answered a question; whether there is such an account
/// remains unknown.
///
/// No case holds an identifier, an address, or a part of an answer.
enum AccountsFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Too many questions were under way for the whole time limit.
  case busy
  /// There was no complete answer.
  case exchange(HTTPTransportFailure.Reason)
  /// The answer has a status other than 200 and 404.
  case status(HTTPStatusCode)
  case unreadable
  /// The answer lacks an identifier that was asked for, or has another one.
  case otherAccount
  /// Nobody waits for the answer any more.
  case cancelled

  var description: String {
    switch self {
    case .busy: "busy"
    case .exchange(let reason): "\(reason)"
    case .status(let status): "status \(status)"
    case .unreadable: "unreadable"
    case .otherAccount: "other account"
    case .cancelled: "cancelled"
    }
  }
}

/// The answers of a directory of accounts, each kept for a minute.
///
/// It has two halves. When the newer one is full, it replaces the older one.
struct AccountCache {
  /// An answer, and the time of its question.
  struct Entry {
    /// Nil if there is no such account.
    let account: RemoteAccount?
    let date: Date
  }

  /// In seconds.
  static let lifetime: TimeInterval = 60
  /// The maximum number of answers.
  static let limit = 10_000

  private var newer: [AccountQuestion: Entry] = [:]
  private var older: [AccountQuestion: Entry] = [:]

  /// Returns the answer to a question, if it is less than a minute old at this time.
  func answer(to question: AccountQuestion, at now: Date) -> Entry? {
    guard let entry = newer[question] ?? older[question],
      // A clock that was set back makes no answer last longer.
      (0..<Self.lifetime).contains(now.timeIntervalSince(entry.date))
    else { return nil }
    return entry
  }

  /// Inserts an answer, for an account also under the host's own identifier alone.
  mutating func keep(_ account: RemoteAccount?, as question: AccountQuestion, at date: Date) {
    let entry = Entry(account: account, date: date)
    insert(entry, question)
    guard let id = account?.account.primaryID, question.secondID != nil else { return }
    insert(entry, AccountQuestion(primaryID: id))
  }

  private mutating func insert(_ entry: Entry, _ question: AccountQuestion) {
    if newer[question] == nil, newer.count >= Self.limit / 2 {
      older = newer
      newer = [:]
    }
    newer[question] = entry
  }
}
