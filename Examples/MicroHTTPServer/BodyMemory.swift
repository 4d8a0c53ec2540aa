internal import StorekeeperLocks

/// The memory for request bodies that all connections of a server share.
///
/// Anonymous clients, which are told apart by their address alone, share a part of it, and each
/// address has a part of that; so they cannot use up the memory of authenticated clients.
final class BodyMemory: Sendable {
  private struct State {
    var free: Int
    var freeForStrangers: Int
    var held: [ClientAddress: Int] = [:]
  }

  private let state: Locked<State>
  /// 0 for no limit.
  private let addressLimit: Int

  init(_ configuration: ServerConfiguration) {
    let longest = configuration.bodyLimit + 1
    let all = configuration.bodyMemoryLimit
    state = Locked(State(free: all, freeForStrangers: max(all / 2, longest)))
    let addressLimit = configuration.addressBodyMemoryLimit
    self.addressLimit = addressLimit == 0 ? 0 : max(addressLimit, longest)
  }

  /// Reserves a number of bytes; returns false if there are not enough.
  func take(_ count: Int, for stranger: ClientAddress?) -> Bool {
    guard count > 0 else { return true }
    return state.withLock { state in
      guard state.free >= count else { return false }
      if let stranger {
        let held = state.held[stranger, default: 0] + count
        guard state.freeForStrangers >= count, addressLimit == 0 || held <= addressLimit else {
          return false
        }
        state.freeForStrangers -= count
        state.held[stranger] = held
      }
      state.free -= count
      return true
    }
  }

  /// Releases reserved bytes.
  func free(_ count: Int, of stranger: ClientAddress?) {
    guard count > 0 else { return }
    state.withLock { state in
      state.free += count
      guard let stranger else { return }
      state.freeForStrangers += count
      let held = state.held[stranger, default: 0] - count
      state.held[stranger] = held > 0 ? held : nil
    }
  }
}
