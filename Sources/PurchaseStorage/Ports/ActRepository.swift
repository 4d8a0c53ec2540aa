public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records of what the host's support did by hand.
public protocol ActRepository {
  /// Records an act before it is done; returns false, and changes nothing, if one of its form is recorded.
  ///
  /// If another unit of work is recording one of that form, this waits for its end.
  func begin(_ act: SupportAct) async throws -> Bool

  /// Returns the act of a form; nil if none is recorded.
  func act(form: String) async throws -> SupportAct?

  /// Notes how the act of a form ended; nothing changes for one that is not recorded.
  ///
  /// The result has 1 to 255 bytes.
  func end(form: String, result: String) async throws

  /// Returns acts, the newest first: those before a number, or all if there is none, and about one account or all.
  func acts(about account: AccountID?, before number: Int?, limit: Int) async throws -> [SupportAct]
}

/// A record of something that a member of the host's support did by hand, with the reason.
public struct SupportAct: Hashable, Sendable {
  /// The number by which acts are ordered; nil before the act is stored.
  public var number: Int?
  /// The identifier of the form that was sent, which no other act has: 1 to 64 visible characters.
  public var form: String
  /// The member: 1 to 255 bytes.
  public var member: String
  /// The kind of the act, such as `link`: 1 to 255 bytes.
  public var kind: String
  /// The account that it is about; nil if it is about none.
  public var account: AccountID?
  /// What else it is about, such as a purchase, and why it was done: an object in JSON of 1 to 65,535 bytes.
  public var data: String
  /// The date, in milliseconds.
  public var date: Date
  /// The way in which it ended, at most 255 bytes; nil while that is not known.
  public var result: String?

  /// Creates a record of an act that is about to be done.
  public init(
    form: String, member: String, kind: String, account: AccountID?, data: String, date: Date
  ) {
    self.form = form
    self.member = member
    self.kind = kind
    self.account = account
    self.data = data
    self.date = date
  }
}
