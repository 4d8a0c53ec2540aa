internal import LinkPolicy
internal import PurchaseStorage
public import ReceiptModels
public import ReceiptVerifier

// The contract of 2019, which links and unlinks by receipt (contract on linking, sections 3.2 and 6.5).

extension SubscriptionService {
  /// Verifies a receipt and keeps what it says; that no product is known is no error here.
  ///
  /// - Parameters:
  ///   - receipt: The receipt in base64.
  ///   - server: Which of Apple's servers to ask first.
  /// - Throws: ``SubscriptionFailure``, or what the store throws.
  public func accept(
    receipt: String?, startingAt server: VerifyReceiptServer = .production
  ) async throws {
    let verified = try await ask(about: receipt, startingAt: server)
    do {
      _ = try await keep(verified, because: .verify)
    } catch SubscriptionFailure.unknownProduct {}
  }

  /// Verifies a receipt, keeps what it says, and links its subscription with the latest end.
  ///
  /// There is no force, and no strict switch. What the receipt says is kept also where there is no such
  /// account (contract on linking, section 6.5).
  ///
  /// - Parameters:
  ///   - receipt: The receipt in base64; holding it is the authority over the subscription.
  ///   - ftcID: The account made with e-mail.
  ///   - unionID: The account's WeChat union id; one of the two has to be there.
  ///   - server: Which of Apple's servers to ask first.
  /// - Returns: The membership as stored.
  /// - Throws: ``SubscriptionFailure``, or what the store throws.
  public func link(
    receipt: String?, ftcID: String?, unionID: String?,
    startingAt server: VerifyReceiptServer = .production
  ) async throws -> Membership {
    guard isPresent(ftcID) || isPresent(unionID) else { throw SubscriptionFailure.userMissing }
    let verified = try await ask(about: receipt, startingAt: server)
    let subscription = try latest(of: await keep(verified, because: .verify))
    let (ftcID, unionID) = (try optional(ftcID, .ftcID), try optional(unionID, .unionID))
    guard let account = try await accounts.account(ftcID: ftcID, unionID: unionID) else {
      throw SubscriptionFailure.accountNotFound
    }
    return try await link(
      account, to: subscription.originalTransactionID, force: false, under: .year2019)
  }

  /// Verifies a receipt, keeps what it says, and severs all its subscriptions from their accounts.
  ///
  /// Whoever holds the receipt may do so, as often as wanted. With an account, only its own rows are
  /// touched. Products that are not known are no error here.
  ///
  /// - Parameters:
  ///   - receipt: The receipt in base64.
  ///   - ftcID: The account made with e-mail, or nil.
  ///   - unionID: The account's WeChat union id, or nil.
  ///   - server: Which of Apple's servers to ask first.
  /// - Throws: ``SubscriptionFailure`` for the receipt, or what the store throws.
  public func unlink(
    receipt: String?, ftcID: String? = nil, unionID: String? = nil,
    startingAt server: VerifyReceiptServer = .production
  ) async throws {
    let isLimited = isNamed(ftcID) || isNamed(unionID)
    let verified = try await ask(about: receipt, startingAt: server)
    let evidence = try Evidence(verified)
    do {
      _ = try await keep(evidence, because: .verify)
    } catch SubscriptionFailure.unknownProduct {}
    let account = isLimited ? try await named(ftcID: ftcID, unionID: unionID) : nil
    // Nobody's rows are none.
    guard !isLimited || account != nil else { return }
    let ids = evidence.originalTransactionIDs
    let moment = now()
    let options = options(under: .year2019)
    let unknown = UnknownFields()
    defer { unknown.tell(report) }
    try await store.write { records in
      let subscriptions = try await records.subscriptions.find(ids)
      let rows = try await records.memberships.find(account: nil, appleSubscriptionIDs: ids)
      unknown.note(rows)
      for stored in subscriptions {
        try await Self.sever(
          stored.subscription, account, rows, options, at: moment, in: records)
      }
    }
  }

  /// Whether somebody is named, be it somebody whom no account can be.
  private func isNamed(_ id: String?) -> Bool {
    do { return try Account.checked(id) != nil } catch { return true }
  }

  /// The account that is named, or nil where there is none, or none can be.
  private func named(ftcID: String?, unionID: String?) async throws -> Account? {
    guard let account = try? Account(ftcID: ftcID, unionID: unionID) else { return nil }
    return try await accounts.account(ftcID: account.ftcID, unionID: account.unionID)
  }
}
