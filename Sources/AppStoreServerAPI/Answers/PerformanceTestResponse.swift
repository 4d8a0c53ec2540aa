public import JSONValues
public import ReceiptModels

/// The acceptance of a performance test.
///
/// Source: Apple, `PerformanceTestResponse`.
public struct PerformanceTestResponse: FieldModel {
  public var config: PerformanceTestConfig?
  /// The identifier to ask for the result with.
  public var requestID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("config", &config)
    try coder("requestId", &requestID)
  }
}

/// The settings of a performance test.
///
/// Source: Apple, `PerformanceTestConfig`.
public struct PerformanceTestConfig: FieldModel {
  /// The greatest number of simultaneous requests.
  public var maxConcurrentRequests: Int?
  public var totalRequests: Int?
  /// The length of the test, in milliseconds.
  public var totalDuration: Int?
  /// The longest accepted response time, in milliseconds.
  public var responseTimeThreshold: Int?
  /// The lowest accepted success rate, in percent.
  public var successRateThreshold: Int?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("maxConcurrentRequests", &maxConcurrentRequests)
    try coder("totalRequests", &totalRequests)
    try coder("totalDuration", &totalDuration)
    try coder("responseTimeThreshold", &responseTimeThreshold)
    try coder("successRateThreshold", &successRateThreshold)
  }
}
