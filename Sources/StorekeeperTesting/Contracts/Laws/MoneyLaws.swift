internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

private typealias Sample = ContractSample

/// The laws of the figures of the business; a store that keeps none has none to keep.
enum MoneyLaws {
  static let all: [StoreLaw] = [
    Law("What is counted of a source is read as it was written, whoever holds it next") { store in
      guard try await keepsMoney(store) else { return }
      let (source, other) = (MoneySource(purchase: "1", .production), MoneySource(key: "é'"))
      let first = try await store.write { try await $0.money.hold(source) }
      try expect("nothing at first", first == nil)
      let text = #"{"é":"'\\"}"# + String(repeating: "x", count: 70_000)
      try await store.write {
        _ = try await $0.money.hold(source)
        try await $0.money.save(text, of: source)
        _ = try await $0.money.hold(other)
        try await $0.money.save("2", of: other)
      }
      try expect("the text", try await store.write { try await $0.money.hold(source) }, is: text)
      try expect("the other", try await store.write { try await $0.money.hold(other) }, is: "2")
      try await store.writeUndone {
        _ = try await $0.money.hold(source)
        try await $0.money.save("3", of: source)
      }
      try expect("undone", try await store.write { try await $0.money.hold(source) }, is: text)
    },
    Law("The row of a source is one unit of work's at a time") { store in
      guard try await keepsMoney(store) else { return }
      let source = MoneySource(purchase: "1", .production)
      try await concurrently(6) { _ in
        for _ in 0..<5 {
          try await store.write { unit in
            let counted = try await unit.money.hold(source).flatMap { Int($0) } ?? 0
            await Task.yield()
            try await unit.money.save(String(counted + 1), of: source)
          }
        }
      }
      try expect("each", try await store.write { try await $0.money.hold(source) }, is: "30")
    },
    Law("Who holds a source sees the purchase as it is then") { store in
      guard try await keepsMoney(store) else { return }
      // Each adds a charge and counts all; the last one to hold the source has counted every charge.
      let source = MoneySource(purchase: Sample.id, .production)
      try await concurrently(6) { number in
        try await store.write { unit in
          let id = Sample.id
          try await unit.prepare(for: [.transactions(of: [id], .production)])
          var charge = PurchaseRecord(
            transactionID: "100\(number)", originalTransactionID: id, productID: "pro")
          charge.signedDate = Sample.later(Double(number))
          try await unit.purchases.record(
            transactions: [charge], environment: .production, now: Sample.now)
          _ = try await unit.money.hold(source)
          let found = try await unit.purchases.transactions(of: [id], environment: .production)
          try await unit.money.save(String(found.count), of: source)
        }
      }
      try expect("all", try await store.write { try await $0.money.hold(source) }, is: "6")
    },
    Law("Numbers are added up by day and by month, folded or not") { store in
      guard try await keepsMoney(store) else { return }
      let days = ["2026-01-30", "2026-01-31", "2026-02-01"].compactMap { CalendarDay($0) }
      let last = try unwrap("a day", days.last)
      var all = MoneyCounts()
      for (number, day) in days.enumerated() {
        for measure in [MoneyFigure.Measure.active, .charged] {
          all.add(number == 1 ? -5 : 1 << (40 + number), to: figure(measure, day))
        }
        var other = figure(.cohort, day)
        other.cohort = CalendarMonth(day)
        other.environment = .sandbox
        all.add(7, to: other)
      }
      let added = all
      try await store.write { try await $0.money.add(added) }
      let production = of(.production, added, through: last)
      try expect("unfolded", try await counts(store, .production, last), is: production)
      try expect("some", try await store.write { try await $0.money.fold(limit: 4) }, is: 4)
      try expect("half folded", try await counts(store, .production, last), is: production)
      try expect("the others", try await store.write { try await $0.money.fold(limit: 100) }, is: 5)
      try expect("none", try await store.write { try await $0.money.fold(limit: 100) }, is: 0)
      try expect("folded", try await counts(store, .production, last), is: production)
      try expect(
        "the other environment", try await counts(store, .sandbox, last),
        is: of(.sandbox, added, through: last))
      try expect(
        "through a day", try await counts(store, .production, days[0]),
        is: of(.production, added, through: days[0]))
      var months = MoneyCounts()
      for (figure, number) in production.numbers {
        var figure = figure
        figure.day = CalendarMonth(figure.day).firstDay
        months.add(number, to: figure)
      }
      try expect("months", try await counts(store, .production, last, .month), is: months)
    },
    Law("No number is lost or doubled while several add and several fold") { store in
      guard try await keepsMoney(store) else { return }
      let day = try unwrap("a day", CalendarDay("2026-03-01"))
      try await concurrently(8) { worker in
        for round in 0..<10 {
          if worker.isMultiple(of: 2) {
            try await store.write { unit in
              var changes = MoneyCounts()
              // In another order for each.
              for place in 0..<4 { changes.add(1, to: figure(.new, day, "\(place ^ worker % 4)")) }
              changes.add(round, to: figure(.charged, day))
              try await unit.money.add(changes)
            }
          } else {
            _ = try await store.write { try await $0.money.fold(limit: 7) }
          }
        }
      }
      _ = try await store.write { try await $0.money.fold(limit: 1000) }
      var expected = MoneyCounts()
      for place in 0..<4 { expected.add(40, to: figure(.new, day, "\(place)")) }
      expected.add(4 * 45, to: figure(.charged, day))
      try expect("all", try await counts(store, .production, day), is: expected)
    },
    Law("Numbers of a unit of work that threw count for nothing") { store in
      guard try await keepsMoney(store) else { return }
      let day = try unwrap("a day", CalendarDay("2026-03-01"))
      try await store.writeUndone { unit in
        var changes = MoneyCounts()
        changes.add(1, to: figure(.new, day))
        try await unit.money.add(changes)
      }
      try expect("nothing", try await counts(store, .production, day).isEmpty)
    },
  ]

  private static func keepsMoney(_ store: any PurchaseStore) async throws -> Bool {
    try await store.read { $0.common.money != nil }
  }

  private static func figure(
    _ measure: MoneyFigure.Measure, _ day: CalendarDay, _ product: String = "pro"
  ) -> MoneyFigure {
    var figure = MoneyFigure(
      measure, on: day, environment: .production, vendor: .apple, productID: product,
      country: "DE")
    figure.currency = "EUR"
    return figure
  }

  private static func of(
    _ environment: AppStoreEnvironment, _ counts: MoneyCounts, through day: CalendarDay
  ) -> MoneyCounts {
    var found = MoneyCounts()
    for (figure, number) in counts.numbers
    where figure.environment == environment && figure.day <= day {
      found.add(number, to: figure)
    }
    return found
  }

  private static func counts(
    _ store: any PurchaseStore, _ environment: AppStoreEnvironment, _ day: CalendarDay,
    _ span: MoneySpan = .day
  ) async throws -> MoneyCounts {
    try await store.read { try await $0.money.counts(in: environment, through: day, of: span) }
  }
}
