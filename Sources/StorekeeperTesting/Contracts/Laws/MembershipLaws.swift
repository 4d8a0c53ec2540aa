internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum MembershipLaws {
  static let all: [StoreLaw] = [
    Law("A membership is read as it was stored") { store in
      var row = try Sample.membership("member", secondID: "union")
      row.tier = .premium
      row.payMethod = .alipay
      row.details.hostPlanID = "plan-7"
      row.details.subscriptionID = "sub_1"
      row.details.planID = "price_1"
      row.autoRenew = true
      row.details.status = .pastDue
      row.originalTransactionID = "1000000000000001"
      row.details.licenceID = "lic_1"
      let stored = try await store.insert(row)
      row.id = stored.id
      try expect("what insert returned", stored, is: row)
      try expect("what is found", try await store.membership("member"), is: row)
    },
    Law("A membership with nothing but an account is read so") { store in
      var row = Membership(account: try Sample.account(nil, secondID: "union"))
      row.id = try await store.insert(row).id
      let found = try await store.memberships(try Sample.account(nil, secondID: "union"))
      try expect("the memberships", found, is: [row])
    },
    Law("A new row gets an id of mmb_ and 12 letters or digits, each its own") { store in
      let ids = try await concurrently(8) { number in
        try await store.insert(try Sample.membership(AccountID(stored: "member-\(number)"))).id
          ?? ""
      }
      try expect("the number of ids", Set(ids).count, is: 8)
      for id in ids { try expect("an id like mmb_0123456789Az: \(id)", isRowID(id)) }
    },
    Law("A row that has an id already keeps it when it is inserted") { store in
      var row = try Sample.membership("member")
      row.id = "mmb_000000000001"
      try await store.insert(row)
      try expect("the id", try await store.membership("member")?.id, is: "mmb_000000000001")
    },
    Law("An updated row keeps its id, also when it moves to another compound id") { store in
      let before = try await store.insert(try Sample.membership(nil, secondID: "union"))
      let after = changed(try Sample.membership("member", secondID: "union")) {
        $0.tier = .premium
        $0.id = "mmb_zzzzzzzzzzzz"
      }
      let stored = try await store.update(after, previous: before)
      let expected = changed(after) { $0.id = before.id }
      try expect("what update returned", stored, is: expected)
      let found = try await store.memberships(try Sample.account("member", secondID: "union"))
      try expect("the memberships", found, is: [expected])
    },
    Law("An update clears what the new value does not have") { store in
      let before = try await store.insert(
        changed(try Sample.appleMembership("member", of: "1000000000000001")) {
          $0.details.hostPlanID = "plan"
          $0.autoRenew = true
        })
      let after = changed(Membership(account: try Sample.account("member"))) { $0.id = before.id }
      try await store.update(after, previous: before)
      try expect("the membership", try await store.membership("member"), is: after)
    },
    Law("An update of a row that is not there is a conflict") { store in
      let row = try Sample.membership("member")
      try await expectFailure(.conflict) { try await store.update(row, previous: row) }
      try expect("no membership", try await store.membership("member") == nil)
    },
    Law("A deleted row is gone, others stay") { store in
      let first = try await store.insert(try Sample.membership("first"))
      try await store.insert(try Sample.membership("second"))
      try await store.delete(first)
      try expect("no first membership", try await store.membership("first") == nil)
      try expect("a second membership", try await store.membership("second") != nil)
    },
    Law("A deletion of a row that is not there is a conflict") { store in
      let row = try await store.insert(try Sample.membership("member"))
      try await store.delete(row)
      try await expectFailure(.conflict) { try await store.delete(row) }
    },
    Law("Rows are found under either id of the account and by Apple subscription") { store in
      try await store.insert(try Sample.membership("member"))
      try await store.insert(try Sample.membership(nil, secondID: "union"))
      try await store.insert(try Sample.appleMembership("other", of: "1001"))
      var stale = try Sample.appleMembership("stale", of: "1002")
      stale.payMethod = .alipay
      try await store.insert(stale)
      try await store.insert(try Sample.appleMembership("unasked", of: "1003"))
      let both = try Sample.account("member", secondID: "union")
      try expect(
        "the rows of account and subscriptions",
        try await found(store, both, ["1002", "1001", "404"]),
        is: ["member", "other", "stale", "union"])
      try expect(
        "the rows of the account", try await found(store, both, []), is: ["member", "union"])
      try expect("the rows of a subscription", try await found(store, nil, ["1002"]), is: ["stale"])
      try expect("no row", try await found(store, nil, []), is: [])
      try expect(
        "no row of a stranger", try await found(store, try Sample.account("stranger"), []), is: [])
    },
    Law("A row that is asked for twice is found once") { store in
      var row = try Sample.appleMembership("member", of: "1001")
      row.secondID = "union"
      try await store.insert(row)
      let account = try Sample.account("member", secondID: "union")
      try expect("the rows", try await found(store, account, ["1001", "1001"]), is: ["member"])
    },
    Law("Rows come in the order of the bytes of their compound ids") { store in
      for (number, id) in ["b", "a-", "B", "a", "_", "9", "aa", "A"].enumerated() {
        try await store.insert(
          try Sample.appleMembership(AccountID(stored: id), of: "\(1000 + number)"))
      }
      try expect(
        "the ids", try await found(store, nil, (1000...1007).map(String.init)),
        is: ["9", "A", "B", "_", "a", "a-", "aa", "b"])
    },
    Law("Identifiers are compared exactly") { store in
      try await store.insert(try Sample.membership("Member"))
      try await store.insert(try Sample.membership("member"))
      try expect(
        "the rows", try await found(store, try Sample.account("member"), []), is: ["member"])
      try expect("no row", try await found(store, try Sample.account("MEMBER"), []), is: [])
    },
    Law("Empty identifiers are none") { store in
      for id in ["first", "second"] {
        var row = try Sample.membership(AccountID(stored: id))
        row.secondID = AccountID(stored: "")
        row.originalTransactionID = ""
        row.details.subscriptionID = ""
        row.details.licenceID = ""
        let stored = try await store.insert(row)
        let texts = [stored.originalTransactionID, stored.details.subscriptionID]
        try expect("the identifiers", [stored.secondID?.rawValue] + texts, is: [nil, nil, nil])
      }
    },
  ]

  private static func found(
    _ store: any PurchaseStore, _ account: Account?, _ ids: [String]
  ) async throws -> [String] {
    try await store.memberships(account, apple: ids).map(\.key)
  }

  private static func isRowID(_ id: String) -> Bool {
    id.utf8.count == 16 && id.hasPrefix("mmb_")
      && id.dropFirst(4).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}

/// Two memberships of different accounts that share one value.
private struct SharedValue {
  var field: StorageFailure.UniqueField
  var set: @Sendable (inout Membership) -> Void
}

enum UniqueKeyLaws {
  static let all: [StoreLaw] =
    sharedValues.map { shared in
      Law("Two memberships never have the same \(shared.field.rawValue), by insert or update") {
        store in
        let first = try await store.insert(changed(try Sample.membership("first"), shared.set))
        let second = try await store.insert(try Sample.membership("second"))
        let third = changed(try Sample.membership("third"), shared.set)
        try await expectDuplicate([shared.field]) { try await store.insert(third) }
        // A row keeps its id, so an update cannot take another's.
        if shared.field != .membershipID {
          let thief = changed(second, shared.set)
          try await expectDuplicate([shared.field]) {
            try await store.update(thief, previous: second)
          }
        }
        try expect("the first row", try await store.membership("first"), is: first)
        try expect("the second row", try await store.membership("second"), is: second)
        try expect("no third row", try await store.membership("third") == nil)
      }
    } + [
      Law("An account has one membership") { store in
        for account in [try Sample.account("member"), try Sample.account(nil, secondID: "union")] {
          let row = Membership(account: account)
          try await store.insert(row)
          try await expectDuplicate([.accountID, .primaryID, .secondID]) {
            try await store.insert(row)
          }
          try expect("the rows", try await store.memberships(account).count, is: 1)
        }
      },
      Law("A row cannot move to a compound id that is taken") { store in
        let first = try await store.insert(try Sample.membership("first"))
        let second = try await store.insert(try Sample.membership(nil, secondID: "second"))
        let moved = changed(second) { $0.primaryID = "first" }
        try await expectDuplicate([.accountID, .primaryID]) {
          try await store.update(moved, previous: second)
        }
        try expect("the first row", try await store.membership("first"), is: first)
      },
      Law("A value is free again when its row has changed or gone") { store in
        let first = try await store.insert(try Sample.appleMembership("first", of: "1001"))
        try await store.write { records in
          var freed = first
          freed.originalTransactionID = nil
          _ = try await records.memberships.update(freed, previous: first)
          let second = try await records.memberships.insert(
            try Sample.appleMembership("second", of: "1001"))
          try await records.memberships.delete(second)
          _ = try await records.memberships.insert(try Sample.appleMembership("third", of: "1001"))
        }
        try expect(
          "the row", try await store.memberships(nil, apple: ["1001"]).map(\.accountID),
          is: ["third"])
      },
      Law("Several subscriptions may have the same owner") { store in
        for id in ["1001", "1002"] {
          try await store.save(Sample.subscription(id))
          try await store.setOwner("member", of: id)
        }
        try expect("the total", try await store.page().total, is: 2)
      },
    ]

  private static let sharedValues: [SharedValue] = [
    SharedValue(field: .membershipID) { $0.id = "mmb_000000000001" },
    SharedValue(field: .secondID) { $0.secondID = "union" },
    SharedValue(field: .originalTransactionID) { $0.originalTransactionID = "1000000000000001" },
    SharedValue(field: .providerSubscriptionID) { $0.details.subscriptionID = "sub_1" },
    SharedValue(field: .licenceID) { $0.details.licenceID = "lic_1" },
  ]

  private static func expectDuplicate(
    _ fields: [StorageFailure.UniqueField],
    _ action: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let names = fields.map(\.rawValue).joined(separator: " or ")
    try await expectFailure("StorageFailure.duplicate of \(names)", of: action) { failure in
      fields.contains { failure == .duplicate($0) }
    }
  }
}
