internal import ReceiptModels

/// The front of the acts of every store, as ``CheckedStore`` is of the other records.
struct CheckedActs: ActRepository {
  let base: any ActRepository

  func begin(_ act: SupportAct) async throws -> Bool {
    try act.checkTexts()
    return try await base.begin(act)
  }

  func act(form: String) async throws -> SupportAct? {
    guard StoredText.fits(form, .token) else { return nil }
    return try await base.act(form: form)
  }

  func end(form: String, result: String) async throws {
    try check(.token, form)
    try check(.outcome, result)
    try await base.end(form: form, result: result)
  }

  func acts(
    about account: AccountID?, before number: Int?, limit: Int
  ) async throws -> [SupportAct] {
    if let account, !StoredText.fits(account.rawValue, .userID) { return [] }
    return try await base.acts(about: account, before: number, limit: limit)
  }
}

extension SupportAct: CheckedValue {
  func checkTexts() throws(StorageFailure) {
    try check(.token, form)
    try check(.member, member)
    try check(.eventType, kind)
    try check(.userID, account?.rawValue)
    try check(.eventData, data)
    try check(.outcome, result)
  }
}
