extension SQLStatement {
  /// Every statement of the repositories, so that tests can look at their plans.
  package static func all(_ dialect: SQLDialect) -> [SQLStatement] {
    let memberships = [MembershipStatements.ofSubscriptions, .ofMember, .ofAccount]
    let lists =
      [ListStatement.findSubscriptions, .findTransactions, .findRenewals]
      + memberships.flatMap { [$0.rows, $0.keys] }
    let lockable =
      lists.map(\.one) + lists.map { dialect == .postgres ? $0.postgres : $0.sqlite } + [
        .wakeSubscriptions, .dueSubscriptions, .dueRetries, .wakeMessages, .dueMessages,
        .removeSent,
      ]
    let plain: [SQLStatement] = [
      .insertSubscription, .saveSubscription, .setOwner, .countSubscriptions, .listSubscriptions,
      .recordTransaction, .deleteRenewals(dialect), .putRenewal, .noteBillingRetry, .recordSession,
      .putReceipt, .findReceipt, .recordNotification, .findNotification, .insertMembership,
      .updateMembership, .deleteMembership, .recordSnapshot, .recordDispute, .recordUnlink,
      .snapshotsOfSubscription, .snapshotsOfAccount, .disputesOfSubscription, .disputesOfAccount,
      .unlinksOfSubscription, .unlinksOfAccount, .grantRefreshLeases(dialect),
      .holdSubscription, .endRefreshLease, .noteRefresh, .beginRun, .endRun, .findRuns, .addMessage,
      .grantOutboxLease, .markSent, .markFailed, .countUnsent,
    ]
    return lockable.map { dialect == .postgres ? $0.locking : $0.plain } + plain
  }
}
