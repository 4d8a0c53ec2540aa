/// The records of credits, beside those that all capabilities have in common.
///
/// Units of work that need several of them lock in the order transaction, claim, account; a notification
/// is recorded last, and its unique key decides between repetitions.
///
/// Source: credit rules, sections 3 and 5.
public protocol CreditRecords {
  /// The transactions of credit products.
  var creditTransactions: any CreditTransactionRepository { get }
  /// The users' balances and ledgers.
  var creditLedger: any CreditLedgerRepository { get }
  /// The identities that bought a starter pack.
  var starterClaims: any StarterClaimRepository { get }
  /// The notifications that were considered for credits.
  var creditNotifications: any CreditNotificationRepository { get }
  /// The rows of an audit.
  var ledgerAudit: any LedgerAuditRepository { get }
}
