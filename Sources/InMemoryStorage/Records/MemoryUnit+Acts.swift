internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: ActRepository {
  func begin(_ act: SupportAct) throws -> Bool {
    try writing { tables in
      guard tables.acts.keys(by: IndexKey(.event, RowKey(act.form))).isEmpty else { return false }
      try tables.acts.append { number in
        var act = act.stored
        act.number = number
        return act
      }
      return true
    }
  }

  func act(form: String) throws -> SupportAct? {
    try tables.acts.page(by: IndexKey(.event, RowKey(form))).first
  }

  func end(form: String, result: String) throws {
    try writing { tables in
      for key in tables.acts.keys(by: IndexKey(.event, RowKey(form))) {
        _ = tables.acts.change(key) { $0.result = result }
      }
    }
  }

  func acts(about account: AccountID?, before number: Int?, limit: Int) throws -> [SupportAct] {
    let all =
      try account.map { try tables.acts.page(by: IndexKey(.account, RowKey($0))) }
      ?? tables.acts.page()
    let found = all.filter { act in number.map { (act.number ?? 0) < $0 } ?? true }
    return Array(found.reversed().prefix(max(0, limit)))
  }
}

extension SupportAct: StoredRow {
  var stored: SupportAct { inMilliseconds(\.date) }
}
