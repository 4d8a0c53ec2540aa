internal import PurchaseStorage

enum PushedMessageLaws {
  /// The laws of messages that Google pushed.
  static let all: [StoreLaw] = [
    Law("A message is recorded once") { store in
      try expect("not recorded", try await store.isRecorded("1"), is: false)
      try expect("the first time", try await store.record("1"), is: true)
      try expect("again", try await store.record("1"), is: false)
      try expect("recorded", try await store.isRecorded("1"), is: true)
      try expect("another", try await store.record("e\u{301}"), is: true)
      try expect("one that looks like it", try await store.isRecorded("é"), is: false)
    },
    Law("Of 16 workers that record a message at once one does") { store in
      let told = try await concurrently(16) { _ in try await store.record("1") }
      try expect("those that did", told.filter(\.self).count, is: 1)
    },
    Law("Old messages are removed, oldest first") { store in
      for (number, seconds) in [30.0, 10, 20, 40].enumerated() {
        _ = try await store.record("\(number)", after: seconds)
      }
      try expect("removed", try await store.removeMessages(before: 30, limit: 1), is: 1)
      try expect("the oldest", try await store.isRecorded("1"), is: false)
      try expect("removed", try await store.removeMessages(before: 30, limit: 9), is: 1)
      try expect("the next", try await store.isRecorded("2"), is: false)
      try expect("removed", try await store.removeMessages(before: 30, limit: 9), is: 0)
      try expect("none", try await store.removeMessages(before: 99, limit: 0), is: 0)
      try expect("as old", try await store.isRecorded("0"), is: true)
    },
  ]
}

extension PurchaseStore {
  fileprivate func record(_ id: String, after seconds: Double = 0) async throws -> Bool {
    try await write {
      try await $0.pushedMessages.record(id, now: ContractSample.later(seconds))
    }
  }

  fileprivate func isRecorded(_ id: String) async throws -> Bool {
    try await read { try await $0.pushedMessages.isRecorded(id) }
  }

  fileprivate func removeMessages(before seconds: Double, limit: Int) async throws -> Int {
    try await write {
      try await $0.pushedMessages.remove(before: ContractSample.later(seconds), limit: limit)
    }
  }
}
