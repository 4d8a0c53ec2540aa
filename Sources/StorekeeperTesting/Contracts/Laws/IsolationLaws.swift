internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum IsolationLaws {
  /// The laws of isolation between units of work.
  static let isolation: [StoreLaw] = [
    Law("Nobody sees what a unit of work has written before it has ended") { store in
      try await store.save(Sample.subscription())
      let (written, seen) = (ContractGate(), ContractGate())
      async let writing: Void = store.write { records in
        try await records.storedSubscriptions.setOwner(
          "half", of: "1000000000000001", now: Sample.now)
        written.open()
        await seen.wait(atMost: .seconds(2))
        try await records.storedSubscriptions.setOwner(
          "whole", of: "1000000000000001", now: Sample.now)
      }
      await written.wait()
      let owner = try await store.owner()
      seen.open()
      try await writing
      try expect("an owner from before or after: \(owner ?? "nil")", owner != "half")
      try expect("the owner", try await store.owner(), is: "whole")
    },
    Law("Nobody ever sees what a unit of work wrote that then threw") { store in
      try await StoreHandles(store).expectUnfinishedIsUnseen()
    },
    Law("A unit of work that reads gets the same answer twice, whatever others write") { store in
      try await store.save(Sample.subscription())
      let (looked, changed) = (ContractGate(), ContractGate())
      async let owners = store.read { records in
        let first = try await records.storedSubscriptions.find(["1000000000000001"])
        looked.open()
        await changed.wait(atMost: .seconds(2))
        let second = try await records.storedSubscriptions.find(["1000000000000001"])
        return [first, second].map { $0.first?.subscription.owner }
      }
      await looked.wait()
      try await store.setOwner("member")
      changed.open()
      try expect("both answers", try await owners, is: [nil, nil])
      try expect(
        "the owner afterwards", try await store.owner(),
        is: "member")
    },
    Law("A unit of work that reads sees several tables at the same moment") { store in
      try await store.save(Sample.subscription())
      let (looked, changed) = (ContractGate(), ContractGate())
      async let counts = store.read { records in
        let before = try await records.outbox.unsentCount()
        looked.open()
        await changed.wait(atMost: .seconds(2))
        let row = try await records.storedSubscriptions.find(["1000000000000001"]).first
        return [before, row?.subscription.owner == nil ? 0 : 1]
      }
      await looked.wait()
      try await store.write { records in
        try await records.outbox.add(try Sample.message(), now: Sample.now)
        try await records.storedSubscriptions.setOwner(
          "member", of: "1000000000000001", now: Sample.now)
      }
      changed.open()
      try expect("messages and owners", try await counts, is: [0, 0])
    },
    Law("The total and the rows of a list are of the same moment") { store in
      async let writing: Void = {
        for number in 1...40 {
          try await store.write { records in
            let id = "\(1000 + number)"
            try await records.storedSubscriptions.save(
              Sample.subscription(id), asOf: Sample.now, now: Sample.now)
            try await records.storedSubscriptions.setOwner("member", of: id, now: Sample.now)
          }
        }
      }()
      for _ in 0..<40 {
        let page = try await store.page()
        try expect("the total", page.total, is: page.subscriptions.count)
      }
      try await writing
    },
  ]

  /// The laws of conflicts between units of work.
  static let conflicts: [StoreLaw] = [
    Law("64 changes of one membership at once lose none") { store in
      let first = try await store.insert(try Sample.membership("member"))
      try await concurrently(64) { _ in
        try await store.write { records in
          let account = try Sample.account("member")
          let rows = try await records.memberships.find(account: account, appleSubscriptionIDs: [])
          guard let row = rows.first else { throw StorageFailure.conflict }
          await Task.yield()
          var longer = row
          longer.expireDate = row.expireDate?.advanced(byDays: 1)
          _ = try await records.memberships.update(longer, previous: row)
        }
      }
      try expect(
        "the day", try await store.membership("member")?.expireDate,
        is: first.expireDate?.advanced(byDays: 64))
    },
    Law("Of 64 accounts that claim a free subscription at once exactly one gets it") { store in
      try await StoreHandles(store).expectOneClaimWins()
    },
    Law("Of 16 accounts that insert a membership of one subscription at once one does") { store in
      let results = try await concurrently(16) { number in
        do {
          try await store.insert(
            try Sample.appleMembership(
              AccountID(stored: "member-\(number)"), of: "1000000000000001"))
          return "inserted"
        } catch StorageFailure.duplicate(.originalTransactionID) {
          return "duplicate"
        }
      }
      try expect(
        "the outcomes", results.sorted(),
        is: Array(repeating: "duplicate", count: 15) + ["inserted"])
    },
    Law("Units of work that lock the same rows in whatever order all end") { store in
      let ids = ["1001", "1002", "1003", "1004"]
      for id in ids { try await store.save(Sample.subscription(id)) }
      try await concurrently(32) { number in
        let asked = number.isMultiple(of: 2) ? ids : ids.reversed()
        try await store.write { records in
          for row in try await records.storedSubscriptions.find(asked) {
            try await records.storedSubscriptions.setOwner(
              AccountID(stored: "member-\(number)"), of: row.subscription.originalTransactionID,
              now: Sample.now)
          }
        }
      }
      let owners = try await store.read { try await $0.storedSubscriptions.find(ids) }
        .map(\.subscription.owner)
      try expect("the number of owners", Set(owners).count, is: 1)
    },
  ]
}
