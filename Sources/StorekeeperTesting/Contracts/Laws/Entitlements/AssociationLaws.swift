internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = EntitlementSample

enum AssociationLaws {
  /// The laws of associations and of the claims of others.
  static let all: [StoreLaw] = [
    Law("An association is read as it was added, with its date in milliseconds") { store in
      for (number, evidence) in [
        PurchaseAssociation.Evidence.receipt, .signedTransaction, .appAccountToken,
      ].enumerated() {
        let environment = number == 1 ? AppStoreEnvironment.sandbox : .production
        let row = Sample.association(
          "100\(number)", environment: environment, at: ContractSample.later(0.001), by: evidence)
        try expect("what is stored then", try await store.add(row), is: [row])
        try expect(
          "the association",
          try await store.association(row.originalTransactionID, environment: environment), is: row)
        try expect(
          "none of the other environment",
          try await store.association(
            row.originalTransactionID, environment: number == 1 ? .production : .sandbox) == nil)
      }
    },
    Law("Associations are found once each, in the order of their identifiers' bytes") { store in
      let rows = ["9", "10", "1", "100"].map { Sample.association($0) }
      try await store.write { _ = try await $0.associations.add(rows) }
      try expect(
        "the identifiers",
        try await store.associations(["9", "77", "10", "9", "1"]).map(\.originalTransactionID),
        is: ["1", "10", "9"])
      let locked = try await store.write {
        try await $0.associations.find(["100", "9", "1"], environment: .production)
      }
      try expect("the locked", locked.map(\.originalTransactionID), is: ["1", "100", "9"])
      try expect("none", try await store.associations([]), is: [])
    },
    Law("A purchase keeps its first owner, and who adds it is told what is stored") { store in
      let first = [Sample.association("10"), Sample.association("9", environment: .sandbox)]
      try await store.write { _ = try await $0.associations.add(first) }
      let others = [
        Sample.association("9", of: "ben", environment: .sandbox),
        Sample.association("9", of: "ben"), Sample.association("10", of: "ben"),
        Sample.association("1", of: "ben"), Sample.association("1", of: "cid"),
      ]
      let stored = try await store.write { try await $0.associations.add(others) }
      let expected = [others[3], first[0], others[1], first[1]]
      try expect("what is stored then", stored, is: expected)
      try expect(
        "no associations", try await store.write { try await $0.associations.add([]) }, is: [])
      try expect(
        "Ben's", try await store.associations(of: "ben"), is: [others[3], others[1]])
      try expect("Ann's", try await store.associations(of: "ann"), is: first)
      try expect("Cid's", try await store.associations(of: "cid"), is: [])
    },
    Law("A replacement changes user, app, date and evidence, or adds the association") { store in
      try await store.add(Sample.association("1"), Sample.association("1", environment: .sandbox))
      let row = Sample.association(
        "1", of: "ben", in: Sample.paint, at: ContractSample.later(7.125), by: .appAccountToken)
      try await store.replace(row)
      try expect("the association", try await store.association("1"), is: row)
      try expect(
        "that of the other environment",
        try await store.association("1", environment: .sandbox),
        is: Sample.association("1", environment: .sandbox))
      try expect(
        "Ann's", try await store.associations(of: "ann").map(\.environment), is: [.sandbox])
      try expect("Ben's", try await store.associations(of: "ben", in: [Sample.paint]), is: [row])
      try await store.replace(Sample.association("2"))
      try expect("the added", try await store.association("2"), is: Sample.association("2"))
    },
    Law("A purchase is removed from its user in its app only, in each environment") { store in
      let rows = [
        Sample.association("1"), Sample.association("1", environment: .sandbox),
        Sample.association("2"),
      ]
      try await store.write { _ = try await $0.associations.add(rows.reversed()) }
      try expect("removed from another user", try await store.remove("1", of: "ann2"), is: [])
      try expect("removed in another app", try await store.remove("1", in: Sample.paint), is: [])
      try expect("another purchase", try await store.remove("3"), is: [])
      try expect("the removed", try await store.remove("1"), is: [rows[0], rows[1]])
      try expect("removed again", try await store.remove("1"), is: [])
      try expect("what is left", try await store.associations(of: "ann"), is: [rows[2]])
      try await store.add(Sample.association("1", of: "ben"))
      try expect("the next owner", try await store.association("1")?.userID, is: "ben")
      try expect("removed from the last", try await store.remove("1"), is: [])
    },
    Law("A user's associations in some apps are those of no other user and no other app") { store in
      let rows = [
        Sample.association("1"), Sample.association("2", environment: .sandbox),
        Sample.association("3", in: Sample.paint),
      ]
      let others = [
        Sample.association("4", of: "an"), Sample.association("5", of: "anna"),
        Sample.association("6", of: "ANN"),
        Sample.association("7", of: AccountID(stored: "ann "), in: Sample.paint),
        Sample.association("8", in: "com.example.dra"),
      ]
      try await store.write { _ = try await $0.associations.add(rows + others) }
      try expect("in one app", try await store.associations(of: "ann"), is: [rows[0], rows[1]])
      try expect(
        "in two apps",
        try await store.associations(of: "ann", in: [Sample.paint, Sample.draw, Sample.paint]),
        is: [rows[0], rows[2], rows[1]])
      try expect("in no app", try await store.associations(of: "ann", in: []), is: [])
      try expect("nobody's", try await store.associations(of: "dan"), is: [])
    },
    Law("Claims to a purchase come in the order in which they were recorded") { store in
      let rows = [
        Sample.conflict("1", claimant: "cid", at: ContractSample.later(9.5)),
        Sample.conflict("1", claimant: "ben", at: ContractSample.later(3.25)),
        Sample.conflict("1", claimant: "ben", at: ContractSample.later(3.25)),
        Sample.conflict("1", owner: "ben", claimant: "ann", at: ContractSample.later(5)),
      ]
      try await store.record(rows[0], Sample.conflict("10"), rows[1], rows[2], rows[3])
      try expect("the claims", try await store.conflicts("1"), is: rows)
      try expect("claims to another", try await store.conflicts("100"), is: [])
    },
  ]
}
