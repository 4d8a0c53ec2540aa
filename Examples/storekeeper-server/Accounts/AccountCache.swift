import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
