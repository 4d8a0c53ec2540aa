public import JSONValues
package import ReceiptModels

/// A request for a performance test of the server's answers to real-time requests.
///
/// Reading and writing check no limits; ``validate()`` does.
///
/// Source: Apple, `PerformanceTestRequest`.
public struct PerformanceTestRequest: CheckedRequest {
  /// The identifier of the first charge of a subscription in the sandbox.
  public var originalTransactionID: String = ""
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request.
  public init(originalTransactionID: String) {
    self.originalTransactionID = originalTransactionID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("originalTransactionId", &originalTransactionID)
  }
}

extension PerformanceTestRequest {
  /// Checks that the identifier has 1 to 64 ASCII digits.
  public func validate() throws(InvalidRequest) {
    _ = try RequestPart.transactionID(originalTransactionID, field: "originalTransactionId")
  }
}
