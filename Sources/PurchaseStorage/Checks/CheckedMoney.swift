internal import ReceiptModels

/// The front of the figures of every store, as ``CheckedStore`` is of the other records.
struct CheckedMoney: MoneyRepository {
  let base: any MoneyRepository

  func hold(_ source: MoneySource) async throws -> String? {
    try check(.moneySource, source.key)
    return try await base.hold(source)
  }

  func save(_ counted: String, of source: MoneySource) async throws {
    try check(.moneySource, source.key)
    try await base.save(counted, of: source)
  }

  func rename(_ source: MoneySource, to other: MoneySource) async throws {
    try check(.moneySource, source.key)
    try check(.moneySource, other.key)
    try await base.rename(source, to: other)
  }

  func add(_ changes: MoneyCounts) async throws {
    for figure in changes.numbers.keys { try figure.checkTexts() }
    try await base.add(changes)
  }

  func fold(limit: Int) async throws -> Int { try await base.fold(limit: limit) }

  func counts(
    in environment: AppStoreEnvironment, through day: CalendarDay, of span: MoneySpan
  ) async throws -> MoneyCounts {
    try await base.counts(in: environment, through: day, of: span)
  }
}

extension MoneyFigure: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.measure, measure.rawValue)
    try check(.creditEnvironment, environment.rawValue)
    try check(.vendor, vendor.rawValue)
    if !productID.isEmpty { try check(.productID, productID) }
    if !country.isEmpty { try check(.countryOrCurrency, country) }
    if !currency.isEmpty { try check(.countryOrCurrency, currency) }
  }
}
