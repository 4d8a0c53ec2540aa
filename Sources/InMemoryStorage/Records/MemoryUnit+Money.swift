internal import PurchaseStorage
internal import ReceiptModels

extension MemoryUnit: MoneyRepository {
  func hold(_ source: MoneySource) throws -> String? {
    try writing { tables in
      if tables.moneySources[source.key] == nil { tables.moneySources[source.key] = .some(nil) }
      return tables.moneySources[source.key] ?? nil
    }
  }

  func save(_ counted: String, of source: MoneySource) throws {
    try writing { $0.moneySources[source.key] = counted }
  }

  func rename(_ source: MoneySource, to other: MoneySource) throws {
    try writing { tables in
      guard let counted = tables.moneySources.removeValue(forKey: source.key) else { return }
      tables.moneySources[other.key] = .some(counted)
    }
  }

  func add(_ changes: MoneyCounts) throws {
    try writing { tables in
      guard !changes.isEmpty else { return }
      tables.moneyChanges.append(contentsOf: changes.numbers.map { ($0.key, $0.value) })
    }
  }

  func fold(limit: Int) throws -> Int {
    try writing { tables in
      let folded = tables.moneyChanges.prefix(max(0, limit))
      for (figure, number) in folded { tables.moneySums.add(number, to: figure) }
      tables.moneyChanges.removeFirst(folded.count)
      return folded.count
    }
  }

  func counts(
    in environment: AppStoreEnvironment, through day: CalendarDay, of span: MoneySpan
  ) throws -> MoneyCounts {
    let tables = try tables
    var counts = MoneyCounts()
    func add(_ number: Int, to figure: MoneyFigure) {
      guard figure.environment == environment, figure.day <= day else { return }
      var figure = figure
      if span == .month { figure.day = CalendarMonth(figure.day).firstDay }
      counts.add(number, to: figure)
    }
    for (figure, number) in tables.moneySums.numbers { add(number, to: figure) }
    for (figure, number) in tables.moneyChanges { add(number, to: figure) }
    return counts
  }
}
