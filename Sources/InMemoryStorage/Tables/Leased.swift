internal import JSONValues
internal import EntitlementPolicy

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value that one worker at a time works on.
struct Leased<Value: Sendable>: Sendable {
  var value: Value
  /// The number of failures since the last success.
  var failures = 0
  /// The moment before which no worker gets it again; nil if there is none.
  var nextTry: Date?
  /// Whether a worker may have it before its next try.
  private var isHastened = false
  private var token: UniqueText?
  private var until = Date.distantPast

  /// Creates a value that is free.
  init(_ value: Value) { self.value = value }

  /// Whether a worker may lease the value.
  func isFree(at now: Date) -> Bool {
    (token == nil || until <= now) && (isHastened || nextTry.map { $0 <= now } ?? true)
  }

  /// Lets a worker have the value before its next try, once.
  mutating func hasten() { isHastened = true }

  /// Gives the value to the worker with a token, until a moment.
  mutating func lease(to token: String, until: Date) {
    self.token = UniqueText(token)
    self.until = until
  }

  /// The moment until which a worker has the value; nil if it is nobody's.
  var leaseEnd: Date? { token == nil ? nil : until }

  /// Whether the value is nobody's, and has a next try.
  var isInBackOff: Bool { token == nil && nextTry != nil }

  fileprivate mutating func end(_ token: String) -> Bool {
    guard self.token == UniqueText(token) else { return false }
    self.token = nil
    isHastened = false
    return true
  }
}

extension Table {
  /// Ends a lease, changes its row and returns true, if the token still holds it.
  @discardableResult
  mutating func end<Value>(
    _ token: String, of key: Key, _ change: (inout Row) -> Void = { _ in }
  ) -> Bool where Row == Leased<Value> {
    guard var row = self[key], row.end(token) else { return false }
    change(&row)
    self[key] = row
    return true
  }
}
