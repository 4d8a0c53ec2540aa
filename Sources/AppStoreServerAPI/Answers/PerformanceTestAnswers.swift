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
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("maxConcurrentRequests", &maxConcurrentRequests)
    try coder("totalRequests", &totalRequests)
    try coder("totalDuration", &totalDuration)
    try coder("responseTimeThreshold", &responseTimeThreshold)
    try coder("successRateThreshold", &successRateThreshold)
  }
}

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
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("average", &average)
    try coder("p50", &p50)
    try coder("p90", &p90)
    try coder("p95", &p95)
    try coder("p99", &p99)
  }
}

// The failures of a performance test: an object with a count for each result.
extension Dictionary: FieldValue where Key == SendAttemptResult, Value == Int {
  package static var kind: JSONKind { .object }

  package init(json: JSONValue) throws(FieldTypeFailure) {
    guard case .object(let members) = json else {
      throw FieldTypeFailure(expected: .object, found: json.kind)
    }
    self = [:]
    for (name, value) in members {
      do throws(FieldTypeFailure) {
        self[SendAttemptResult(rawValue: name)] = try Int(json: value)
      } catch {
        throw error.inside(member: name)
      }
    }
  }

  package var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for (result, count) in self { members[result.rawValue] = .integer(count) }
    return .object(members)
  }
}
