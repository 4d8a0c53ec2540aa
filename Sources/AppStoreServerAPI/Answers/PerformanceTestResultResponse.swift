public import JSONValues
public import ReceiptModels

/// The result of a performance test.
///
/// Source: Apple, `PerformanceTestResultResponse`.
public struct PerformanceTestResultResponse: FieldModel {
  /// The settings of the test.
  public var config: PerformanceTestConfig?
  /// The address that was tested.
  public var target: String?
  public var result: PerformanceTestStatus?
  /// The success rate, in percent.
  public var successRate: Int?
  /// The number of requests that are not answered yet.
  public var numPending: Int?
  public var responseTimes: PerformanceTestResponseTimes?
  /// The number of failures of each kind.
  public var failures: [SendAttemptResult: Int]?

  /// Members that this version does not know.
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
  /// The median.
  public var p50: Int?
  /// The 90th percentile.
  public var p90: Int?
  /// The 95th percentile.
  public var p95: Int?
  /// The 99th percentile.
  public var p99: Int?

  /// Members that this version does not know.
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
