extension SQLStatement {
  /// Every statement of the repositories, in the variants that the database is asked, so that tests can
  /// look at their plans.
  package static func all(_ dialect: SQLDialect) -> [SQLStatement] {
    let memberships = [MembershipStatements.ofSubscriptions, .ofMember, .ofAccount]
    let lists =
      [
        ListStatement.findSubscriptions, .findOriginalIDs, .findTransactions, .lockTransactions,
        .findRenewals,
      ]
      + memberships.map(\.rows)
    let found = lists.flatMap { [$0.one, $0.several(dialect)] }
    let chosen: [LockableStatement] = [
      .wakeSubscriptions, .dueSubscriptions, .dueRetries, .wakeMessages, .dueMessages, .removeSent,
      .removeNotifications, .removeSessions, .removeSnapshots,
    ]
    switch dialect {
    case .sqlite: return (found + chosen).map(\.plain) + others(dialect)
    case .postgres:
      let keys = memberships.flatMap { [$0.keys.one, $0.keys.several(dialect)] }
      return (found + keys).map(\.plain) + (found + chosen).map(\.locking)
        + [lockSubscription] + others(dialect)
    }
  }

  /// Those that lock nothing that they look up.
  private static func others(_ dialect: SQLDialect) -> [SQLStatement] {
    [
      .insertSubscription, .saveSubscription, .setOwner, .countSubscriptions, .listSubscriptions,
      .recordTransaction, .stampTransactions, .settleTransactions, .stampReceipt,
      .deleteRenewals(dialect), .putRenewal, .noteBillingRetry, .recordSession,
      .putReceipt, .findReceipt, .recordNotification, .findNotification,
      .keepNotification, .keptNotifications, .removeKeptNotification, .insertMembership,
      .updateMembership, .deleteMembership, .recordSnapshot, .recordDispute, .recordUnlink,
      .snapshotsOfSubscription, .snapshotsOfAccount, .disputesOfSubscription, .disputesOfAccount,
      .unlinksOfSubscription, .unlinksOfAccount, .grantRefreshLeases(dialect),
      .holdSubscription, .endRefreshLease, .noteRefresh, .beginRun, .endRun, .findRuns, .addMessage,
      .grantOutboxLease, .markSent, .markFailed, .giveBackMessage, .countUnsent,
      .leaseRemoval, .endRemoval,
    ]
  }
}
