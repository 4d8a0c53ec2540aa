internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

private typealias Sample = OrderSample

enum LevelLaws {
  static let all: [StoreLaw] = [
    Law("Levels are read as they were stored, in the order of fee and name") { store in
      try expect("no levels", try await store.levels().all, is: [])
      let levels = [
        Sample.level("b", fee: "0.000001", apple: "com.example.b", google: "b_monthly"),
        Sample.level("B", fee: "9.99"), Sample.level("a", fee: "9.99", google: "a"),
        Sample.level("é", fee: "999999999.999999", apple: "é"),
      ]
      try await store.replaceLevels(
        with: SubscriptionLevels(stored: levels.reversed()))
      try expect("the levels", try await store.levels().all, is: levels)
    },
    Law("Levels take the place of all that were stored before, also with the same products") {
      store in
      try await store.replaceLevels(
        with: Sample.levels(
          Sample.level("Basic", apple: "a", google: "g"), Sample.level("Pro", fee: "2", apple: "p"))
      )
      let others = Sample.levels(
        Sample.level("Gold", apple: "p", google: "g"), Sample.level("Pro", fee: "3", apple: "a"))
      try await store.replaceLevels(with: others)
      try expect("the levels", try await store.levels(), is: others)
      try await store.replaceLevels(with: Sample.levels())
      try expect("no levels", try await store.levels().all, is: [])
    },
    Law("Levels that are undone leave those before") { store in
      let levels = Sample.levels(Sample.level("Basic"))
      try await store.replaceLevels(with: levels)
      do {
        try await store.write { records in
          try await records.levels.replace(with: Sample.levels())
          throw Interruption(number: 1)
        }
      } catch is Interruption {}
      try expect("the levels", try await store.levels(), is: levels)
    },
  ]
}
