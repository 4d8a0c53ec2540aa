internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = ContractSample

enum ActLaws {
  /// The laws of the records of what support did by hand.
  static let all: [StoreLaw] = [
    Law("An act is read as it was recorded, with its result") { store in
      let first = act("form_1", account: "member", at: Sample.later(0.125))
      let second = act("form_2", account: nil, at: Sample.later(1))
      for act in [first, second] { try expect("new", try await begin(store, act)) }
      try await store.write { try await $0.acts.end(form: "form_1", result: "é done") }
      let read = try await acts(store)
      try expect("the newest first", read.map(\.form), is: ["form_2", "form_1"])
      var expected = [second, first]
      expected[0].number = read[0].number
      (expected[1].number, expected[1].result) = (read[1].number, "é done")
      try expect("the acts", read, is: expected)
      let found = try await store.read { try await $0.acts.act(form: "form_1") }
      try expect("the act of a form", found, is: expected[1])
      let none = try await store.read { try await $0.acts.act(form: "form_3") }
      try expect("none of another form", none == nil)
      try expect(
        "of an account", try await acts(store, about: "member").map(\.form), is: ["form_1"])
      try expect("of another account", try await acts(store, about: "other").isEmpty)
      try expect(
        "before a number", try await acts(store, before: read[0].number).map(\.form),
        is: ["form_1"])
      try expect("a page", try await acts(store, limit: 1).map(\.form), is: ["form_2"])
    },
    Law("A form is used once, whoever sends it at the same time") { store in
      try await expectOne(of: 6, "of acts that began") { _ in
        try await begin(store, act("form_1", account: nil, at: Sample.later(0)))
      }
      try expect("recorded", try await acts(store).count, is: 1)
    },
    Law("An act of a unit of work that threw is not recorded") { store in
      try await store.writeUndone { unit in
        _ = try await unit.acts.begin(act("form_1", account: nil, at: Sample.later(0)))
      }
      try expect("none", try await acts(store).isEmpty)
      try expect(
        "its form is free", try await begin(store, act("form_1", account: nil, at: Sample.later(0)))
      )
    },
  ]

  private static func act(_ form: String, account: AccountID?, at date: Date) -> SupportAct {
    SupportAct(
      form: form, member: "nora", kind: "link", account: account, data: #"{"é":"'\\ "}"#, date: date
    )
  }

  private static func begin(_ store: any PurchaseStore, _ act: SupportAct) async throws -> Bool {
    try await store.write { try await $0.acts.begin(act) }
  }

  private static func acts(
    _ store: any PurchaseStore, about account: AccountID? = nil, before number: Int? = nil,
    limit: Int = 10
  ) async throws -> [SupportAct] {
    try await store.read {
      try await $0.acts.acts(about: account, before: number, limit: limit)
    }
  }
}
