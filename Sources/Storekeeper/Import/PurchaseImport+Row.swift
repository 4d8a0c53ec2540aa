internal import AppStoreServerAPI
internal import GooglePlayVerifier
internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import ReceiptVerifier
internal import StorekeeperLocks

/// What the store answered about a row.
enum ImportAnswer: Sendable {
  /// The facts, with the account that claims them and the app in which they were asked for.
  case told(PurchaseFacts, Account, appID: String?)
  case refused(ImportRefusal)
  /// The store answered others, and not about this row.
  case postponed
  /// The same claim was accepted before.
  case repeated
  /// The store did not answer, and may be asked again.
  case unanswered(ImportPatience)
  /// Nobody can be asked about any row.
  case failed(any Error)
}

/// The patience with a store that does not answer about a row.
struct ImportPatience {
  /// The moment of the first question, by the stopwatch of the run.
  let begun: Duration
  /// The pause before the next question.
  var pause = Duration.zero
}

// MARK: Asking

extension PurchaseImport {
  /// Asks a store about a row once; where it did not answer before, after a pause.
  func answer(
    to row: Result<ImportRow, ImportFault>, _ uptime: Stopwatch, after earlier: ImportPatience?
  ) async -> ImportAnswer {
    switch row {
    case .failure(let fault): return .refused(.malformed(fault))
    case .success(let row): return await answer(to: row, uptime, after: earlier)
    }
  }

  private func answer(
    to row: ImportRow, _ uptime: Stopwatch, after earlier: ImportPatience?
  ) async -> ImportAnswer {
    let begun = uptime.elapsed
    do {
      if let pause = earlier?.pause { try await clock.sleep(for: pause) }
      try Task.checkCancellation()
      guard let account = try await account(of: row) else { return .refused(.accountNotFound) }
      let (facts, appID) = try await facts(about: row)
      lastAnswers.note(row)
      return .told(facts, account, appID: appID)
    } catch {
      switch AskingFailure(error) {
      case .refusal(let refusal):
        lastAnswers.note(row)
        return .refused(refusal)
      case .fatal: return .failed(error)
      case .fatalIfCommon(let refusal):
        return await answersOthers(than: row) ? .refused(refusal) : .failed(error)
      case .outage:
        var next = earlier ?? ImportPatience(begun: begun)
        let left = patience - (uptime.elapsed - next.begun)
        guard left > .zero else {
          return await answersOthers(than: row) ? .postponed : .failed(error)
        }
        next.pause = min(earlier.map { $0.pause * 2 } ?? .seconds(1), renewalInterval, left)
        return .unanswered(next)
      }
    }
  }

  /// The longest pause between two questions about a row, and the time after which the lease is renewed.
  var renewalInterval: Duration { min(.seconds(60), leaseDuration / 4) }

  /// Returns whether the store of a row answers about another one now.
  private func answersOthers(than row: ImportRow) async -> Bool {
    guard let other = lastAnswers.row(besides: row) else { return false }
    do {
      _ = try await facts(about: other)
      return true
    } catch {
      if case .refusal = AskingFailure(error) { return true }
      return false
    }
  }

  /// Returns the account that the host knows by the first of a row's identifiers that it knows; nil if there is none.
  private func account(of row: ImportRow) async throws -> Account? {
    for id in [row.account] + row.aliases {
      if let account = try await context.accounts.account(id) { return account }
    }
    return nil
  }

  private func facts(
    about row: ImportRow
  ) async throws -> (facts: PurchaseFacts, appID: String?) {
    func concerns(_ appID: String) -> Bool { row.appID?.isSameText(as: appID) ?? true }
    switch row.evidence {
    case .receipt(let text): return try await facts(ofReceipt: text, row)
    case .transactionID(let id):
      return try await first(stores.appStores.filter { concerns($0.bundleID) }) { appStore in
        let customer = try await appStore.customer(of: id, in: row.environment)
        let refused = customer.history.refused.count
        if refused > 0 { context.tell(.historyElementsRefused(refused)) }
        if refused > 0, customer.history.transactions.isEmpty {
          throw ImportRefusal.answerNotAuthentic
        }
        return (try customer.facts, appStore.bundleID)
      }
    case .purchaseToken(let token):
      return try await first(stores.googlePlay.filter { concerns($0.packageName) }) { play in
        try await googlePace.turn()
        let source = PlayPurchaseSource(play, store: context.store, now: context.now)
        return (try await source.facts(ofToken: token), play.packageName)
      }
    }
  }

  private func facts(
    ofReceipt text: String, _ row: ImportRow
  ) async throws -> (facts: PurchaseFacts, appID: String?) {
    try await receiptPace.turn()
    let evidence = EvidenceVerifier(
      appStore: stores.receipts, extent: entitlements == nil ? .subscriptions : .allPurchases,
      telemetry: context.telemetry)
    let verified = try await evidence.verified(
      .receipt(text), startingAt: row.environment == .sandbox ? .sandbox : .production)
    if let appID = row.appID, verified.bundleID?.isSameText(as: appID) != true {
      throw EvidenceFailure.wrongApp
    }
    return (try verified.facts.get(), verified.bundleID)
  }

  /// Returns the answer of the first client that knows the purchase.
  ///
  /// - Throws: The failure of the last client that was asked.
  private func first<Client>(
    _ clients: [Client],
    _ ask: (Client) async throws -> (facts: PurchaseFacts, appID: String?)
  ) async throws -> (facts: PurchaseFacts, appID: String?) {
    var failure: any Error = ImportRefusal.storeNotAsked
    for client in clients {
      do {
        return try await ask(client)
      } catch {
        // Another app may know it.
        guard case .refusal(let refusal) = AskingFailure(error),
          refusal == .unknownToStore || refusal == .wrongApp
        else { throw error }
        failure = error
      }
    }
    throw failure
  }
}

// MARK: Giving

extension PurchaseImport {
  /// Records facts, and gives their purchases to an account where the rules let it.
  ///
  /// - Throws: An error of the host's accounts or of the store.
  func give(
    _ facts: PurchaseFacts, to account: Account, inApp appID: String?
  ) async throws -> ImportOutcome {
    facts.incidents.forEach(context.tell)
    let before = try await owned(facts, by: account)
    do {
      if let refusal = try await refusal(toGive: facts, to: account, inApp: appID) {
        return .refused(refusal)
      }
    } catch let failure as EntitlementFailure {
      return .refused(ImportRefusal(failure))
    } catch StorageFailure.invalidValue {
      return .refused(.notRecordable)
    }
    guard !before.isEmpty else { return .accepted }
    return try await owned(facts, by: account) == before ? .unchanged : .accepted
  }

  /// Gives the membership and the products in one unit of work; returns why it gave no membership, if it was refused.
  ///
  /// - Throws: ``EntitlementFailure`` if the products are refused, so that nothing was given; an error of the host's
  ///   accounts or of the store.
  private func refusal(
    toGive facts: PurchaseFacts, to account: Account, inApp appID: String?
  ) async throws -> ImportRefusal? {
    let (memberships, entitlements) = try services()
    // A membership takes no other identifier than one of visible ASCII, and a user of products takes any.
    let isForMemberships =
      entitlements == nil || (try? AccountID(account.id.rawValue)) == account.id
    let subscriptions = isForMemberships ? memberships : nil
    guard let entitlements, let found = Self.app(appID, of: facts, in: entitlements) else {
      guard let subscriptions else { return .wrongApp }
      return try await link(account, to: facts, subscriptions)
    }
    let associate = try await entitlements.association(of: facts, with: account, in: found)
    let now = context.now()
    if let subscriptions {
      let refusal = try await link(account, to: facts, subscriptions) { unit in
        try await associate(entitlements.recorder(at: now), unit)
      }
      switch refusal {
      case nil, .unknownProduct: return nil
      case .accountNotFound: return refusal
      case .link(let reason) where reason.isAboutOwner: return refusal
      default: break
      }
      // The other memberships of the account take nothing from its entitlements.
      try await entitlements.recording(at: now, associate)
      return refusal
    }
    try await entitlements.recording(at: now, associate)
    return nil
  }

  /// Links the subscription in facts that expires last, after other work in the same unit of work; returns why that was
  /// refused, if it was.
  ///
  /// Where no product is known the other work is done, and where the link is refused it is not.
  private func link(
    _ account: Account, to facts: PurchaseFacts, _ subscriptions: SubscriptionService,
    after other: UnitOfWorkBody<Void>? = nil
  ) async throws -> ImportRefusal? {
    do {
      _ = try await subscriptions.link(account.id, to: facts, as: .imported, after: other)
      return nil
    } catch let failure as SubscriptionFailure {
      switch failure {
      case .refused(let reason): return .link(reason)
      case .unknownProduct: return .unknownProduct
      case .environmentMismatch: return .environmentNotAllowed
      case .accountNotFound: return .accountNotFound
      default: throw failure
      }
    }
  }

  /// The bundle ID of the app that lets users have what was bought; Google's app may have another name.
  private static func app(
    _ appID: String?, of facts: PurchaseFacts, in entitlements: EntitlementService
  ) -> String? {
    let apps = entitlements.apps
    guard let appID else { return apps.only?.bundleID }
    guard facts.vendor == .google else { return apps[appID]?.bundleID }
    return apps.bundleIDs.first { bundleID in
      apps[bundleID]?.googlePlay?.packageName.isSameText(as: appID) ?? false
    }
  }

  /// Returns the purchases in facts that an account has, by whichever capability.
  private func owned(_ facts: PurchaseFacts, by account: Account) async throws -> Set<PurchaseKey> {
    let keys = facts.originalTransactionIDs.map {
      PurchaseKey(originalTransactionID: $0, environment: facts.environment)
    }
    return try await context.store.read { records in
      var owners = PurchaseOwners(in: records)
      try await owners.find(keys)
      let identifiers = OwnIdentifiers(account)
      return Set(try keys.filter { try owners.relation(of: [$0], to: identifiers) == .own })
    }
  }

  /// The services, which keep nothing in a trial.
  private func services() throws -> (
    subscriptions: SubscriptionService?, entitlements: EntitlementService?
  ) {
    guard isTrial else { return (subscriptions, entitlements) }
    var context = context
    context.store = UndoingStore(context.store)
    let trial = try subscriptions.map { try $0.trial() }
    let products = try entitlements.map { service in
      try EntitlementService(
        context, subscriptions: service.subscriptions == nil ? nil : trial,
        appStore: service.appStore, receipts: service.receipts
      ) { service.apps }
    }
    return (trial, products)
  }
}

extension ImportRefusal {
  fileprivate init(_ failure: EntitlementFailure) {
    self =
      switch failure {
      case .linkedToOtherUser: .link(.linkedToOtherAccount)
      case .accountTokenMismatch: .link(.accountTokenMismatch)
      case .environmentNotAllowed: .environmentNotAllowed
      case .unknownApp, .bundleMismatch: .wrongApp
      default: .notRecordable
      }
  }
}
