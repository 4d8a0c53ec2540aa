public import ReceiptModels

/// A part of an answer that Apple didn't sign.
///
/// It came over a connection to Apple's server and no further: grant nothing because of it.
public struct Unsigned<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  public let value: Value
  /// The environment of the server that answered.
  public let environment: AppStoreEnvironment

  init(_ value: Value, in environment: AppStoreEnvironment) {
    self.value = value
    self.environment = environment
  }
}
