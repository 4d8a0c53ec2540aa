internal import Dispatch
public import ReceiptModels

/// A kind of signed data, which tells the kind of the tokens in a batch.
public struct SignedDataKind<Payload: Sendable>: Sendable {
  fileprivate let verify:
    @Sendable (SignedDataVerifier, String) -> Result<Verified<Payload>, SignedDataFailure>

  fileprivate init(
    _ verify:
      @escaping @Sendable (SignedDataVerifier) -> (String) throws(SignedDataFailure) ->
      Verified<Payload>
  ) {
    self.verify = { verifier, token in
      Result { () throws(SignedDataFailure) in try verify(verifier)(token) }
    }
  }
}

extension SignedDataKind<Transaction> {
  public static let transaction = SignedDataKind(SignedDataVerifier.transaction)
}

extension SignedDataKind<RenewalInfo> {
  public static let renewalInfo = SignedDataKind(SignedDataVerifier.renewalInfo)
}

extension SignedDataKind<AppTransaction> {
  public static let appTransaction = SignedDataKind(SignedDataVerifier.appTransaction)
}

extension SignedDataKind<NotificationContent> {
  public static let notification = SignedDataKind(SignedDataVerifier.notification)
}

extension SignedDataKind<RealtimeRequest> {
  public static let realtimeRequest = SignedDataKind(SignedDataVerifier.realtimeRequest)
}

extension SignedDataVerifier {
  /// Verifies many transactions, spread over the processor's cores.
  ///
  /// - Returns: The result of ``transaction(_:)`` for each token, in order.
  public func verify(
    _ tokens: some Collection<String>
  ) -> [Result<Verified<Transaction>, SignedDataFailure>] {
    verify(tokens, as: .transaction)
  }

  /// Verifies many tokens of one kind, spread over the processor's cores.
  ///
  /// The calling thread takes part and returns when all are done. A refused token affects no other.
  public func verify<Payload>(
    _ tokens: some Collection<String>, as kind: SignedDataKind<Payload>
  ) -> [Result<Verified<Payload>, SignedDataFailure>] {
    let tokens = Array(tokens)
    // All empty arrays share one storage, whose count must not be written while others read it.
    guard !tokens.isEmpty else { return [] }
    let parts = (tokens.count + partSize - 1) / partSize
    return unsafe [Result](unsafeUninitializedCapacity: tokens.count) { slots, count in
      // Each part fills its own slots, and all are filled before the count is set.
      nonisolated(unsafe) let slots = unsafe slots
      DispatchQueue.concurrentPerform(iterations: parts) { part in
        for index in part * partSize..<min((part + 1) * partSize, tokens.count) {
          unsafe slots.initializeElement(at: index, to: kind.verify(self, tokens[index]))
        }
      }
      count = tokens.count
    }
  }

  /// Verifies one token of a kind.
  package func result<Payload>(
    of token: String, as kind: SignedDataKind<Payload>
  ) -> Result<Verified<Payload>, SignedDataFailure> {
    kind.verify(self, token)
  }
}

/// The number of tokens that one core takes at a time: half a millisecond of work.
private let partSize = 8
