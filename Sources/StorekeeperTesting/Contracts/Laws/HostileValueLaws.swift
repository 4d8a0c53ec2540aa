internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

private typealias Sample = ContractSample

enum HostileValueLaws {
  /// The laws of values that are refused before anything is written.
  static let all: [StoreLaw] = [
    Law("A subscription with an id that is not 1 to 64 digits is refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.save(Sample.subscription(id))
        }
        let saved = changed(Sample.subscription()) { $0.lastTransactionID = id }
        try await expectRefused("the last id \(named(id))") { try await store.save(saved) }
      }
      try expect("no subscription", try await store.subscription() == nil)
    },
    Law("A subscription of an environment without a store is refused") { store in
      try await expectRefused("Xcode") {
        try await store.save(Sample.subscription(environment: .xcode))
      }
    },
    Law("An owner that no account can be is refused") { store in
      try await store.save(Sample.subscription())
      for id in badAccountIDs {
        try await expectRefused("the owner \(named(id))") {
          try await store.setOwner(AccountID(stored: id))
        }
      }
      try expect("the owner", try await store.owner(), is: nil)
    },
    Law("A membership with a text that cannot be stored is refused") { store in
      let fields: [(set: (inout Membership, String) -> Void, texts: [String])] = [
        ({ $0.primaryID = AccountID(stored: $1) }, badAccountIDs),
        ({ $0.secondID = AccountID(stored: $1) }, badAccountIDs),
        ({ $0.originalTransactionID = $1 }, badTransactionIDs.filter { !$0.isEmpty }),
        ({ $0.details.subscriptionID = $1 }, badTexts), ({ $0.details.planID = $1 }, badTexts),
        ({ $0.details.hostPlanID = $1 }, badTexts), ({ $0.details.licenceID = $1 }, badTexts),
      ]
      for field in fields {
        for text in field.texts {
          let row = changed(try Sample.membership("member")) { field.set(&$0, text) }
          try await expectRefused("the text \(named(text))") { try await store.insert(row) }
        }
      }
      try expect("no membership", try await store.membership("member") == nil)
    },
    Law("A membership without account is refused") { store in
      for text in [nil, ""] {
        let row = changed(try Sample.membership("member")) {
          $0.primaryID = text.map(AccountID.init(stored:))
        }
        try await expectRefused("no account") { try await store.insert(row) }
      }
    },
    Law("A product without name, with a zero byte or of more than 255 bytes is refused") { store in
      for product in ["", "a\u{0}", String(repeating: "p", count: 256)] {
        let saved = changed(Sample.subscription()) { $0.productID = product }
        try await expectRefused("the product \(named(product))") { try await store.save(saved) }
      }
    },
    Law("A dispute and an unlink about a bad id are refused") { store in
      for id in badTransactionIDs {
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.memberships.recordDispute(
              originalTransactionID: id, account: try Sample.account("member"), now: Sample.now)
          }
        }
        try await expectRefused("the id \(named(id))") {
          try await store.write {
            try await $0.memberships.recordUnlink(
              originalTransactionID: id, accountID: "member", now: Sample.now)
          }
        }
      }
    },
    Law("A worker's token of more than 64 bytes or with others than visible letters is refused") {
      store in
      for token in ["", "a b", "a\u{0}", "é", String(repeating: "t", count: 65)] {
        try await expectRefused("the token \(named(token))") {
          try await store.write { _ = try await $0.refreshes.lease(Sample.leaseRequest(token)) }
        }
      }
    },
    Law("Looking for what no row can have finds nothing or is refused") { store in
      try await store.save(Sample.subscription())
      for id in badTransactionIDs + badAccountIDs {
        try await expectNothing("subscriptions") {
          try await store.read { try await $0.storedSubscriptions.find([id]).count }
        }
        try await expectNothing("memberships") {
          try await store.memberships(nil, apple: [id]).count
        }
        try await expectNothing("the owner's list") {
          try await store.page(of: AccountID(stored: id)).total
        }
      }
    },
  ]
}
