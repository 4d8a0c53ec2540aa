public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/ReceiptStore``, to be run on any implementation.
///
/// Crashes are not checked.
public struct ReceiptStoreContract: Sendable {
  private let makeStore: @Sendable () async throws -> any ReceiptStore
  private let close: @Sendable (any ReceiptStore) async throws -> Void

  /// The contract for one kind of store.
  ///
  /// - Parameters:
  ///   - close: Is called at the end of each law with the store that the law was given.
  ///   - makeStore: Gives an empty store at each call.
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
