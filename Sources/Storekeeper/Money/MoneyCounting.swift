internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperCrypto

/// The counting of purchases and ledgers in a unit of work: what they count now takes the place of what they counted.
struct MoneyCounting {
  let unit: UnitOfWork
  /// Whether the unit of work has recorded what it counts, and so has locked it.
  var hasLocked = false

  /// Counts purchases; returns the number of those of which something else was counted before.
  @discardableResult
  func count(_ purchases: some Sequence<ReceiptCursor>) async throws -> Int {
    let sources = purchases.map { purchase in
      (
        source: MoneySource(purchase: purchase.originalTransactionID, purchase.environment),
        purchase: purchase
      )
    }.sorted { $0.source < $1.source }
    guard !sources.isEmpty else { return 0 }
    let money = try unit.money
    // The rows of subscriptions are locked before those of figures, as where purchases are recorded.
    if !hasLocked { _ = try await records(of: sources.map(\.purchase)) }
    var counted: [String?] = []
    for (source, _) in sources { counted.append(try await money.hold(source)) }
    let records = try await records(of: sources.map(\.purchase))
    var changes = MoneyCounts()
    var count = 0
    for ((source, purchase), text) in zip(sources, counted) {
      let (transactions, renewals) = records[purchase] ?? ([], [])
      let now = MoneyCounts(
        of: transactions, renewals: renewals, environment: purchase.environment)
      let vendor = TransactionIDs.vendor(of: purchase.originalTransactionID)
      let before: MoneyCounts?
      do {
        before = try text.map {
          try CountedMoney.counts($0, in: purchase.environment, of: vendor, source)
        }
      } catch {
        // Figures refuse nothing that a store says; a recount tells of the row.
        guard !hasLocked else { continue }
        throw error
      }
      let difference = now - (before ?? MoneyCounts())
      guard !difference.isEmpty else { continue }
      count += 1
      changes.add(difference)
      try await money.save(CountedMoney.text(now), of: source)
    }
    if !changes.isEmpty { try await money.add(changes) }
    return count
  }

  /// Reads the transactions and renewals of purchases.
  private func records(
    of purchases: [ReceiptCursor]
  ) async throws -> [ReceiptCursor: ([PurchaseRecord], [RenewalRecord])] {
    var found: [ReceiptCursor: ([PurchaseRecord], [RenewalRecord])] = [:]
    let groups = Dictionary(grouping: purchases, by: \.environment)
    for (environment, group) in groups.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let ids = group.map(\.originalTransactionID)
      let transactions = try await unit.purchases.transactions(of: ids, environment: environment)
      for record in transactions {
        found[
          ReceiptCursor(
            originalTransactionID: record.originalTransactionID, environment: environment),
          default: ([], [])
        ].0.append(record)
      }
      for renewal in try await unit.purchases.renewals(of: ids, environment: environment) {
        found[
          ReceiptCursor(
            originalTransactionID: renewal.originalTransactionID, environment: environment),
          default: ([], [])
        ].1.append(renewal)
      }
    }
    return found
  }

  // MARK: Credits

  /// Counts the entries of users that were not counted yet; returns the number of users who had some.
  @discardableResult
  func count(_ users: some Sequence<AccountID>) async throws -> Int {
    let sources = try users.map { user in
      (source: try MoneySource(ledgerOf: user), user: user)
    }.sorted { $0.source < $1.source }
    var changes = MoneyCounts()
    var count = 0
    for (source, user) in sources {
      // A booking locks the user's account first; so does this.
      _ = try await unit.creditLedger.balance(of: user)
      let counted = try await unit.money.hold(source).flatMap { Int($0) } ?? 0
      let entries = try await entries(of: user, after: counted)
      guard let last = entries.map(\.id).max() else { continue }
      count += 1
      for entry in entries { changes.add(entry) }
      try await unit.money.save(String(last), of: source)
    }
    if !changes.isEmpty { try await unit.money.add(changes) }
    return count
  }

  private func entries(of user: AccountID, after id: Int) async throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    let limit = 50
    while true {
      let page = try await unit.creditLedger.entries(
        of: user, skipping: entries.count, limit: limit)
      entries += page.prefix { id < $0.id }
      guard page.count == limit, let last = page.last, id < last.id else { return entries }
    }
  }
}

extension MoneySource {
  /// Creates the source of a user's ledger, which does not name the user.
  init(ledgerOf user: AccountID) throws {
    self.init(ledgerOf: hexadecimal(try SHA256.digest(of: Array(user.rawValue.utf8))))
  }
}

extension MoneyCounts {
  /// Adds an entry of a ledger.
  mutating func add(_ entry: LedgerEntry) {
    let booking = entry.booking
    let (measure, isTaken) = Self.measure(of: booking)
    let figure = MoneyFigure(
      measure, on: CalendarDay(entry.createdDate), environment: booking.environment ?? .production,
      vendor: booking.moneyVendor)
    // An entry may have any amount, and sums of such would leave 64 bits.
    let limit = PurchaseRecord.prices.upperBound
    let amount = min(max(booking.amount, -limit), limit)
    add(isTaken ? -amount : amount, to: figure)
  }

  private static func measure(
    of booking: LedgerBooking
  ) -> (measure: MoneyFigure.Measure, isTaken: Bool) {
    switch booking.changeType {
    case .purchase: (.creditsSold, false)
    case .refund: (.creditsTakenBack, true)
    case .refundReversal: (.creditsRestored, false)
    case let type where booking.amount < 0:
      (MoneyFigures.expiries.contains(type) ? .creditsExpired : .creditsSpent, true)
    default: (.creditsGiven, false)
    }
  }
}

extension LedgerBooking {
  /// The store that sold what is booked; `host` for a booking of the host's own.
  fileprivate var moneyVendor: Vendor {
    guard reservedPart != nil else { return Vendor(rawValue: "host") }
    return LedgerEventID.vendors.first {
      eventID.utf8.starts(with: LedgerEventID.prefix($0).utf8)
    } ?? .apple
  }
}
