internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLActs: ActRepository {
  let session: SQLSession

  func begin(_ act: SupportAct) async throws -> Bool {
    try await session.execute(
      .addAct,
      [
        .text(act.form), .text(act.member), .text(act.kind), .name(act.account), .text(act.data),
        .milliseconds(act.date),
      ]) == 1
  }

  func act(form: String) async throws -> SupportAct? {
    try await session.query(.findAct, [.text(form)]).first.map(SupportAct.init(row:))
  }

  func end(form: String, result: String) async throws {
    try await session.run(.endAct, [.text(form), .text(result)])
  }

  func acts(
    about account: AccountID?, before number: Int?, limit: Int
  ) async throws -> [SupportAct] {
    guard limit > 0 else { return [] }
    let bound: [SQLValue] = [.number(number ?? Int(Int64.max)), .number(limit)]
    let rows =
      if let account {
        try await session.query(.actsOfAccount, [.name(account)] + bound)
      } else {
        try await session.query(.actsBefore, bound)
      }
    return rows.map(SupportAct.init(row:))
  }
}

extension SupportAct {
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    let number = reader.number()
    self.init(
      form: reader.text(), member: reader.text(), kind: reader.text(), account: reader.accountID(),
      data: reader.text(), date: reader.milliseconds() ?? .distantPast)
    self.number = number
    result = reader.name()
  }
}

extension SQLStatement {
  static let addAct = SQLInsertion(
    """
    INSERT INTO support_act (form, member, kind, account, data, created_ms)
    VALUES ($1, $2, $3, $4, $5, $6)
    """, key: "form"
  ).keepingStored("act_add")

  static let endAct = SQLStatement(
    "act_end", "UPDATE support_act SET result = $2 WHERE form = $1")

  static let findAct = SQLStatement(
    "act_find",
    """
    SELECT id, form, member, kind, account, data, created_ms, result FROM support_act
    WHERE form = $1
    """)

  static let actsBefore = SQLStatement(
    "act_list",
    """
    SELECT id, form, member, kind, account, data, created_ms, result FROM support_act
    WHERE id < $1 ORDER BY id DESC LIMIT $2
    """)

  static let actsOfAccount = SQLStatement(
    "act_of_account",
    """
    SELECT id, form, member, kind, account, data, created_ms, result FROM support_act
    WHERE account = $1 AND id < $2 ORDER BY id DESC LIMIT $3
    """)
}
