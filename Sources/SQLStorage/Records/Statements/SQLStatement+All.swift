extension SQLStatement {
  package static func all(_ dialect: SQLDialect) -> [SQLStatement] {
    let memberships = [MembershipStatements.ofSubscriptions, .ofMember, .ofAccount]
    let lists =
      [
        ListStatement.findSubscriptions, .findOriginalIDs, ListStatement.findTransactions.stamped,
        ListStatement.findTransactions.plain, .findRenewals,
        .findAssociations, .associationsOfUser, ListStatement.heldTransactions.stamped,
        ListStatement.heldTransactions.plain, .heldRenewals, .validationsOfUser, .tracesOfMarked,
        .markedPacks, .forwardsOfPurchases,
      ]
      + memberships.map(\.rows)
    let found = lists.flatMap { [$0.one, $0.several(dialect, [])] }
    let chosen: [LockableStatement] = [
      .wakeSubscriptions, .dueSubscriptions, .dueRetries, .wakeMessages, .hastenLine, .removeSent,
      .discardLine, .discardParkedLine,
      .removeNotifications, .removeSessions, .removeSnapshots, .removeConsumptionCases,
      .findConsumptionCase,
      .consumptionCases, .findCreditTransaction, .creditBalance, .findValidation,
      .dueValidations, .removeEvents, .moneyChanges, .findOrderedSubscription,
      .findSubscriptionClaim,
      .removePushedMessages,
    ]
    switch dialect {
    case .sqlite: return (found + chosen).map(\.plain) + others(dialect)
    case .postgres, .mariadb:
      let keys = memberships.flatMap { [$0.keys.one, $0.keys.several(dialect, [])] }
      return (found + keys).map(\.plain) + (found + chosen).map(\.locking)
        + [lockSubscription] + others(dialect)
    }
  }

  private static func ofMariaDB(_ dialect: SQLDialect) -> [SQLStatement] {
    guard dialect == .mariadb else { return [] }
    return [.insertedSubscription, .insertedNumber, .updatedMembership]
  }

  /// The statements that lock nothing.
  private static func others(_ dialect: SQLDialect) -> [SQLStatement] {
    [
      .insertSubscription, .insertToldSubscription, .saveSubscription, .setOwner,
      .countSubscriptions, .listSubscriptions, .allSubscriptions,
      recordTransaction.stamped, recordTransaction.plain, .stampTransactions, .settleTransactions,
      .stampReceipt, putReceipt.stamped, putReceipt.plain, findReceipt.stamped, findReceipt.plain,
      findReceiptStamp.stamped, findReceiptStamp.plain,
      .insertTransaction, .deleteRenewals(dialect), .putRenewal, .insertRenewal, .noteRenewals,
      .noteRenewalSet, .noteNewestRenewalSet, .removeOldRenewals, .noteUnanswered, .recordSession,
      .recordNotification, .insertNotification, .findNotification,
      .keepNotification, .keptNotifications, .removeKeptNotification, .insertMembership,
      .updateMembership, .deleteMembership, .recordSnapshot, .recordDispute, .recordUnlink,
      .snapshotsOfSubscription, .snapshotsOfAccount, .disputesOfSubscription, .disputesOfAccount,
      .disputes, .disputesPageOfSubscription, .disputesPageOfAccount,
      .unlinksOfSubscription, .unlinksOfAccount, .grantRefreshLeases(dialect),
      .holdSubscription, .endRefreshLease, .noteRefresh, .beginRun, .endRun, .findRuns, .addMessage,
      .dueMessages(dialect), .oldestUnsent(dialect), .grantOutboxLease,
      .markSent, .markFailed,
      .postponeMessage,
      .parkMessage,
      .waitingConsumptionCases, .listJobs,
      .parkedMessages, .newestMessagesTo, .sendAgain, .discardMessage, .giveBackMessage,
      .countUnsent,
      .leaseRemoval, .endRemoval, .leaseJob, .advanceJob, .giveBackJob, .findJob, .findRevision,
      .putRevision, .removeRevision, .recordTransfer, .transfers, .listPurchases, .newestLinks,
      .newestAssociation,
      .newestOrder, .newestBooking, listReceipts.stamped, listReceipts.plain,
      .latestNotification, .addConsumptionCase, .prepareConsumptionCase, .settleConsumptionCase,
      .noteConsumptionOutcome,
      .insertCreditTransaction, .updateCreditTransaction, .creditTransactionsOfUser,
      .creditTransactions, .findLedgerEntry, .ledgerOfUser, .countLedger,
      .findStarterClaim, .markStarterClaim,
      .recordCreditNotification, .findCreditNotification,
      .addAssociation, .replaceAssociation, .removeAssociation, .recordAssociationConflict,
      .associationConflicts, .conflictsOfClaimant, .addAcquired(dialect), .acquiredOfUser,
      .saveValidation,
      .grantValidationLease, .giveBackValidation,
      .allLevels, .removeLevels, .addLevel, .addOrderedSubscription, .insertOrderedSubscription,
      .saveOrderedSubscription,
      .addAct, .findAct, .endAct, .actsBefore, .actsOfAccount,
      .addEvent, .newEvents, .orderEvent, .eventsAfter, .newestEvents, .newestEventsOf, .eventAt,
      .findEventReader,
      .holdEventReader, .saveEventReader, .removeEventReader, .holdMoneySource, .saveMoneySource,
      .renameMoneySource,
      .addMoney,
      .addToMoneySum, .removeMoneyChange, .moneySumsOfDays, .moneySumsOfMonths,
      .moneyChangesOfDays, .moneyChangesOfMonths, .dueLine, .leasedLine,
      .grantLineLease, .countLine,
      .removeOrderedSubscription, .orderedLevelNames, .addSubscriptionClaim,
      .insertSubscriptionClaim,
      .removeSubscriptionClaim, .transferSubscriptionClaim, .recordPushedMessage,
      .findPushedMessage,
    ] + erasing + bookings(dialect) + audits(dialect) + ofMariaDB(dialect)
  }
}
