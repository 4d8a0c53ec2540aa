public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The accounts of the host.
///
/// ```swift
/// struct Users: AccountDirectory {
///   func account(_ id: AccountID) async throws -> Account? {
///     try await database.hasUser(id.rawValue) ? Account(id: id) : nil
///   }
/// }
/// ```
public protocol AccountDirectory: Sendable {
  /// Returns the account with the host's own identifier, or nil if there is none.
  func account(_ id: AccountID) async throws -> Account?

  /// Returns the account that has all the given identifiers, or nil if there is none.
  ///
  /// Hosts without second identifiers leave this to the default implementation, which knows the first
  /// one only.
  func account(primaryID: AccountID?, secondID: AccountID?) async throws -> Account?

  /// Whether the directory can find accounts by app account token; false by default.
  ///
  /// If it is true, a purchase with the token of another account is refused.
  var hasAppAccountTokens: Bool { get }

  /// Returns the account for which the host made an app account token, or nil if there is none.
  ///
  /// Source: Apple, `appAccountToken`.
  func account(appAccountToken token: UUID) async throws -> Account?

  /// Returns the account for which the host's app left a mark at a store, or nil if there is none.
  ///
  /// The mark is an app account token, or Google's obfuscated external account identifier, 64 characters at most. The
  /// default implementation takes it for an app account token, if the directory knows those. Source: Google Play
  /// Billing, `obfuscatedExternalAccountId`.
  func account(markedBy mark: String) async throws -> Account?

  /// Returns the app account token that the host made for an account, or nil if it is not known.
  ///
  /// If it returns a token, `account(appAccountToken:)` returns this account for it. The default
  /// implementation returns nil.
  func appAccountToken(of id: AccountID) async throws -> UUID?

  /// Returns the e-mail address of an account, or nil if there is none.
  ///
  /// Each address can buy one starter pack of credits. The default implementation returns nil. Source: credit rules,
  /// section 7.
  func emailAddress(of id: AccountID) async throws -> String?

  /// Returns the language in which an account reads e-mails, or nil if it is not known.
  ///
  /// The language is a BCP 47 tag, such as `en` or `zh-Hans`. The default implementation returns nil.
  func preferredLanguage(of id: AccountID) async throws -> String?
}

extension AccountDirectory {
  /// Returns the account with the first identifier; nil if a second identifier is given.
  public func account(primaryID: AccountID?, secondID: AccountID?) async throws -> Account? {
    guard let primaryID, secondID == nil else { return nil }
    return try await account(primaryID)
  }

  public var hasAppAccountTokens: Bool { false }

  /// Returns nil.
  public func account(appAccountToken token: UUID) async throws -> Account? { nil }

  /// Returns the account with an app account token.
  public func account(markedBy mark: String) async throws -> Account? {
    guard hasAppAccountTokens, let token = UUID(uuidString: mark) else { return nil }
    return try await account(appAccountToken: token)
  }

  /// Returns nil.
  public func appAccountToken(of id: AccountID) async throws -> UUID? { nil }

  /// Returns nil.
  public func emailAddress(of id: AccountID) async throws -> String? { nil }

  /// Returns nil.
  public func preferredLanguage(of id: AccountID) async throws -> String? { nil }
}

/// Accounts that nobody lists: each identifier is an account of its own.
///
/// For a host that checks elsewhere whether a user exists, and whose app leaves no marks at the stores.
public struct UnlistedAccounts: AccountDirectory {
  /// Creates the directory.
  public init() {}

  /// Returns an account with the identifier.
  public func account(_ id: AccountID) async throws -> Account? { Account(id: id) }
}
