import AppStoreServerAPI
import Testing

/// A request and the fault that is found in it, or nil if it is accepted.
struct RequestCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var validate: @Sendable () throws -> Void
  var fault: InvalidRequest?

  /// A request that is refused.
  static func refused<Request: CheckedRequest>(
    _ description: String, _ request: Request, _ field: String, _ fault: InvalidRequest.Fault,
    change: (inout Request) -> Void
  ) -> RequestCase {
    var request = request
    change(&request)
    let changed = request
    return RequestCase(
      testDescription: description, validate: { _ = try changed.checkedBody() },
      fault: InvalidRequest(field, fault))
  }

  /// A request that is accepted.
  static func accepted<Request: CheckedRequest>(
    _ description: String, _ request: Request, change: (inout Request) -> Void = { _ in }
  ) -> RequestCase {
    var request = request
    change(&request)
    let changed = request
    return RequestCase(
      testDescription: description, validate: { _ = try changed.checkedBody() }, fault: nil)
  }

  func check() {
    do {
      try validate()
      #expect(fault == nil)
    } catch {
      #expect(error as? InvalidRequest == fault)
    }
  }
}

extension String {
  /// A text of as many letters.
  static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
}
