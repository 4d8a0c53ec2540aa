public import JSONValues
public import ReceiptModels

/// The result of a performance test.
///
/// Source: Apple, `PerformanceTestResultResponse`.
public struct PerformanceTestResultResponse: FieldModel {
  public var config: PerformanceTestConfig?
  public var target: String?
  public var result: PerformanceTestStatus?
  /// The success rate, in percent.
  public var successRate: Int?
  public var numPending: Int?
  public var responseTimes: PerformanceTestResponseTimes?
  public var failures: [SendAttemptResult: Int]?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("config", &config)
    try coder("target", &target)
    try coder("result", &result)
    try coder("successRate", &successRate)
    try coder("numPending", &numPending)
    try coder("responseTimes", &responseTimes)
    try coder("failures", &failures)
  }
}

/// The response times of a performance test, in milliseconds.
///
/// Source: Apple, `PerformanceTestResponseTimes`.
public struct PerformanceTestResponseTimes: FieldModel {
  public var average: Int?
  public var p50: Int?
  public var p90: Int?
  public var p95: Int?
  public var p99: Int?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("average", &average)
    try coder("p50", &p50)
    try coder("p90", &p90)
    try coder("p95", &p95)
    try coder("p99", &p99)
  }
}
