public import PurchaseStorage
internal import ReceiptModels

/// The laws of a ``/PurchaseStorage/ReceiptStore``, to be run on any implementation.
///
/// Crashes are not checked.
public struct ReceiptStoreContract: Sendable {
  private let makeStore: @Sendable () async throws -> any ReceiptStore
  private let close: @Sendable (any ReceiptStore) async throws -> Void

  /// The contract for one kind of store.
  ///
  /// `makeStore` gives an empty store at each call, and `close` is called at the end of each law.
  public init(
    close: @escaping @Sendable (any ReceiptStore) async throws -> Void = { _ in },
    makeStore: @escaping @Sendable () async throws -> any ReceiptStore
  ) {
    self.close = close
    self.makeStore = makeStore
  }

  /// The laws, each with a store of its own.
  public var laws: [ContractLaw] {
    ReceiptStoreLaws.all.map { law in
      ContractLaw(law.name) {
        let store = try await makeStore()
        do {
          try await law.check(store)
        } catch {
          // The law's own error is the one to report, whatever closing says.
          try? await close(store)
          throw error
        }
        try await close(store)
      }
    }
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }
}

private typealias Sample = ContractSample

enum ReceiptStoreLaws {
  /// The laws of receipts by original id and environment.
  static let all: [Law<any ReceiptStore>] = [
    Law("A receipt that was put is found as it was, and no other") { store in
      try expect("no receipt", try await text(store), is: nil)
      try await store.put(Sample.receipt("AAAA", asOf: Sample.later(0.001)))
      try await store.put(Sample.receipt("BBBB", of: "1002"))
      try await store.put(Sample.receipt("CCCC", environment: .sandbox))
      let found = try await store.receipt(of: "1000000000000001", environment: .production)
      try expect("the whole value", found == Sample.receipt("AAAA", asOf: Sample.later(0.001)))
      try expect("the second", try await text(store, "1002"), is: "BBBB")
      try expect("the third", try await text(store, environment: .sandbox), is: "CCCC")
      try expect("none", try await text(store, "1002", environment: .sandbox), is: nil)
    },
    Law("An older receipt never replaces a newer one; one of the same moment does") { store in
      for (put, seconds, kept) in [
        ("BBBB", 60.0, "BBBB"), ("AAAA", 59.999, "BBBB"), ("CCCC", 60, "CCCC"),
        ("DDDD", 60.001, "DDDD"), ("EEEE", -900, "DDDD"),
      ] {
        try await store.put(Sample.receipt(put, asOf: Sample.later(seconds)))
        try expect("the receipt after \(put)", try await text(store), is: kept)
      }
    },
    Law("A removed receipt is gone, others stay; removing it again is no error") { store in
      try await store.put(Sample.receipt("AAAA"))
      try await store.put(Sample.receipt("BBBB", environment: .sandbox))
      for _ in 0..<2 { try await store.remove("1000000000000001", environment: .production) }
      try expect("the receipt", try await text(store), is: nil)
      try expect("the other", try await text(store, environment: .sandbox), is: "BBBB")
    },
    Law("After a removal an older receipt may be put") { store in
      try await store.put(Sample.receipt("BBBB", asOf: Sample.later(60)))
      try await store.remove("1000000000000001", environment: .production)
      try await store.put(Sample.receipt("AAAA"))
      try expect("the receipt", try await text(store), is: "AAAA")
    },
    Law("An id that is not 1 to 64 digits is refused by every call") { store in
      for id in [
        "", " ", "abc", "../1", "..", "1/2", "1\\2", "1\u{0}", "\u{0}", "1_Sandbox", "1.txt",
        "'; DROP TABLE apple_receipt; --", "１２", String(repeating: "1", count: 65),
        String(repeating: "1", count: 10_000),
      ] {
        let name = "an id of \(id.utf8.count) bytes, \(id.prefix(20).debugDescription)"
        try await expectRefused(name) { try await store.put(Sample.receipt("AAAA", of: id)) }
        try await expectRefused(name) {
          _ = try await store.receipt(of: id, environment: .production)
        }
        try await expectRefused(name) { try await store.remove(id, environment: .production) }
      }
    },
    Law("An environment that is neither Production nor Sandbox is refused") { store in
      for name in ["Xcode", "", "../Sandbox", "sandbox/..", "Production\u{0}"] {
        let environment = AppStoreEnvironment(rawValue: name)
        try await expectRefused(name.debugDescription) {
          try await store.put(Sample.receipt("AAAA", environment: environment))
        }
      }
    },
    Law("Ids of 1 and of 64 digits are taken, and leading zeros count") { store in
      let ids = ["1", "01", "001", String(repeating: "9", count: 64)]
      for id in ids { try await store.put(Sample.receipt("text\(id)", of: id)) }
      for id in ids {
        try expect("the receipt of \(id)", try await text(store, id), is: "text\(id)")
      }
    },
    Law("A receipt of 8 MiB is kept whole, a larger one and an empty one refused") { store in
      let whole = String(repeating: "QUJD", count: 2 << 20)
      try await store.put(Sample.receipt(whole))
      try expect("the whole receipt", try await text(store) == whole)
      try await expectRefused("a receipt of more than 8 MiB") {
        try await store.put(Sample.receipt(whole + "A", asOf: Sample.later(1)))
      }
      try await expectRefused("an empty receipt") {
        try await store.put(Sample.receipt("", asOf: Sample.later(1)))
      }
      try expect("still the whole receipt", try await text(store) == whole)
    },
    Law("Of 32 receipts that are put at once the newest stays") { store in
      try await concurrently(32) { number in
        try await store.put(
          Sample.receipt("receipt-\(number)", asOf: Sample.later(Double(number))))
      }
      try expect("the receipt", try await text(store), is: "receipt-31")
    },
    Law("A reader beside writers always sees one whole receipt, and never an older one") { store in
      try await store.put(Sample.receipt(large(0)))
      async let writing: Void = {
        for number in 1...20 {
          try await store.put(Sample.receipt(large(number), asOf: Sample.later(Double(number))))
        }
      }()
      var latest = 0
      for _ in 0..<60 {
        let found = try await text(store)
        let number = (0...20).first { found == large($0) }
        try expect("one whole receipt", number != nil)
        try expect("a receipt not older than the one before", number ?? 0 >= latest)
        latest = number ?? 0
      }
      try await writing
      try expect("the last receipt", try await text(store) == large(20))
    },
  ]

  private static func text(
    _ store: any ReceiptStore, _ id: String = "1000000000000001",
    environment: AppStoreEnvironment = .production
  ) async throws -> String? {
    try await store.receipt(of: id, environment: environment)?.receipt
  }

  /// A text of 64 KiB that is the number all through.
  private static func large(_ number: Int) -> String {
    String(repeating: Array("ABCDEFGHIJKLMNOPQRSTU")[number], count: 65_536)
  }
}
