/// A family of series in ``MetricsRegistry``: one name, one meaning, and a series for each value of its labels.
public struct MetricFamily: Hashable, Sendable {
  /// A kind of series.
  public enum Kind: String, Hashable, Sendable {
    /// A number that only grows while the process runs.
    case counter
    case gauge
    /// Numbers of observations in buckets, with their sum.
    case histogram
  }

  /// The name, with which every sample begins; that of a counter ends with `_total`.
  public let name: String
  public let kind: Kind
  /// A sentence about what is counted or measured.
  public let help: String
  /// The names of the labels, at most four.
  public let labels: [String]
  /// The upper bounds of the buckets of a histogram, without the last one, which has none.
  let bounds: [Duration]

  private init(
    _ name: String, _ kind: Kind, _ labels: [String], bounds: [Duration] = [], _ help: String
  ) {
    self.name = "storekeeper_" + name
    self.kind = kind
    self.help = help
    self.labels = labels
    self.bounds = bounds
  }

  /// Returns whether two families are the same one, by the name.
  public static func == (one: MetricFamily, other: MetricFamily) -> Bool { one.name == other.name }

  /// Hashes the name, which no other family has.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The unit with which the name ends, before `_total`; nil for a number of things.
  var unit: String? {
    let name = name.hasSuffix("_total") ? name.dropLast("_total".count) : name[...]
    return ["seconds", "bytes"].first { name.hasSuffix("_" + $0) }
  }
}

extension MetricFamily {
  /// All families, in the order in which they are written.
  public static let all: [MetricFamily] = [
    startTimestamp, build, requestDuration, requests, requestBytes, responseBytes,
    verificationDuration, verifications, notificationDuration, notifications, callDuration, calls,
    unitDuration, unitWait, unitRetries, unitFailures, deliveryDuration, deliveries, waiting,
    parked,
    oldest, jobDuration, jobSuccess, incidents, ledgerEntries, ledgerTransactions, ends,
    spansDropped,
  ]

  static let startTimestamp = MetricFamily(
    "start_timestamp_seconds", .gauge, [], "The moment at which the process began to count.")
  static let build = MetricFamily(
    "build_info", .gauge, ["version"], "1, with the version of the server.")

  static let requestDuration = MetricFamily(
    "http_request_duration_seconds", .histogram, ["route", "method", "outcome"],
    bounds: milliseconds, "The time from the head of a request to its answer.")
  static let requests = MetricFamily(
    "http_requests_total", .counter, ["route", "method", "status"], "Answered requests.")
  static let requestBytes = MetricFamily(
    "http_request_bytes_total", .counter, ["route"], "Bytes in the bodies of requests.")
  static let responseBytes = MetricFamily(
    "http_response_bytes_total", .counter, ["route"], "Bytes in the bodies of answers.")

  static let verificationDuration = MetricFamily(
    "verification_duration_seconds", .histogram, ["kind", "outcome"], bounds: milliseconds,
    "The time that the verification of evidence took.")
  static let verifications = MetricFamily(
    "verifications_total", .counter, ["kind", "outcome", "reason"],
    "Verifications of receipts, signed transactions and purchase tokens.")

  static let notificationDuration = MetricFamily(
    "notification_duration_seconds", .histogram, ["vendor", "outcome"], bounds: milliseconds,
    "The time that the work on a notification took.")
  static let notifications = MetricFamily(
    "notifications_total", .counter, ["vendor", "type", "outcome", "reason"],
    "Notifications of the stores.")

  static let callDuration = MetricFamily(
    "call_duration_seconds", .histogram, ["vendor", "call", "outcome"], bounds: milliseconds,
    "The time that a server that was asked took to answer.")
  static let calls = MetricFamily(
    "calls_total", .counter, ["vendor", "call", "status"],
    "Requests to servers of the stores, and of the host, by the status of their answer.")

  static let unitDuration = MetricFamily(
    "unit_of_work_duration_seconds", .histogram, ["kind", "outcome"], bounds: microseconds,
    "The time from the beginning of a unit of work until it is committed, with its waits and attempts."
  )
  static let unitWait = MetricFamily(
    "unit_of_work_wait_seconds", .histogram, ["kind"], bounds: microseconds,
    "The time that a unit of work waited for a connection or its turn.")
  static let unitRetries = MetricFamily(
    "unit_of_work_retries_total", .counter, ["kind"],
    "Attempts of units of work after the first, because of a conflict or a lost connection.")
  static let unitFailures = MetricFamily(
    "unit_of_work_failures_total", .counter, ["kind", "reason"],
    "Units of work that failed for a reason of the store's own.")

  static let deliveryDuration = MetricFamily(
    "outbox_delivery_duration_seconds", .histogram, ["kind"], bounds: milliseconds,
    "The time that a handler took for a message of the outbox.")
  static let deliveries = MetricFamily(
    "outbox_deliveries_total", .counter, ["kind", "outcome"],
    "Attempts to deliver a message of the outbox.")
  static let waiting = MetricFamily(
    "outbox_waiting_messages", .gauge, [], "Messages that wait in the outbox.")
  static let parked = MetricFamily(
    "outbox_parked_messages", .gauge, [], "Messages that wait until somebody has them sent again.")
  static let oldest = MetricFamily(
    "outbox_oldest_message_timestamp_seconds", .gauge, [],
    "The moment at which the oldest message that waits was written; missing if none waits.")

  static let jobDuration = MetricFamily(
    "job_duration_seconds", .histogram, ["name", "outcome"], bounds: seconds,
    "The time that a run of a job took.")
  static let jobSuccess = MetricFamily(
    "job_last_success_timestamp_seconds", .gauge, ["name"],
    "The moment at which a job last succeeded.")

  static let incidents = MetricFamily(
    "incidents_total", .counter, ["kind"], "Incidents, which the log tells more of.")

  static let ledgerEntries = MetricFamily(
    "ledger_entries", .gauge, [], "Entries in the ledgers of credits, about.")
  static let ledgerTransactions = MetricFamily(
    "ledger_transactions", .gauge, [], "Purchases of credits, about.")

  static let ends = MetricFamily(
    "expiry_timestamp_seconds", .gauge, ["what"],
    "The moment at which the first certificate or token of a kind ends.")

  static let spansDropped = MetricFamily(
    "spans_dropped_total", .counter, [],
    "Spans that were dropped because the collector was away or too slow.")

  // MARK: Buckets

  private static let microseconds =
    [100, 250, 500].map { Duration.microseconds($0) } + milliseconds

  private static let milliseconds = [
    1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000,
  ].map { Duration.milliseconds($0) }

  private static let seconds = [
    10, 100, 1000, 10_000, 60_000, 300_000, 1_800_000, 3_600_000,
  ].map { Duration.milliseconds($0) }
}
