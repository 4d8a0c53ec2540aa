internal import StorekeeperCrypto
internal import Synchronization

/// The identifiers of work that takes time: its trace, itself, and the work that it is a part of.
///
/// The span of the work that is under way is a task-local value, ``current``. A host whose framework has a trace of its
/// own sets it around a request:
///
/// ```swift
/// await TelemetrySpan.$current.withValue(span) { await api.respond(to: request) }
/// ```
///
/// Otherwise a request continues the trace that its field `traceparent` names. Source: W3C, Trace Context, level 1,
/// section 3.2.
public struct TelemetrySpan: Hashable, Sendable {
  /// The number of the trace, which is not zero.
  public let traceID: UInt128
  /// The number of the span, which is not zero.
  public let id: UInt64
  /// The number of the span of which this one is a part; nil for the first of a trace.
  public let parentID: UInt64?
  /// Whether the trace is kept.
  public let isSampled: Bool
  /// The span outside of this package under which the trace is continued here; nil for a trace that begins here.
  private let outside: Outside?

  private struct Outside: Hashable {
    var id: UInt64
    var isSampled: Bool
  }

  /// The span of the work that the present task does.
  @TaskLocal public static var current: TelemetrySpan?

  /// Creates a span.
  public init(traceID: UInt128, id: UInt64, parentID: UInt64? = nil, isSampled: Bool) {
    self.traceID = traceID
    self.id = id
    self.parentID = parentID
    self.isSampled = isSampled
    outside = Outside(id: id, isSampled: isSampled)
  }

  /// Creates the span of work that is part of another's, or else of the present task's, or else the first of a trace.
  public init(under parent: TelemetrySpan? = nil, for telemetry: any Telemetry) {
    if let parent = parent ?? Self.current {
      id = UniqueNumber.next()
      traceID = parent.traceID
      parentID = parent.id
      isSampled = parent.isSampled
      outside = parent.outside
    } else if telemetry.keepsTraces {
      (traceID, id) = UniqueNumber.nextOfTrace()
      parentID = nil
      isSampled = telemetry.keeps(traceID: traceID)
      outside = nil
    } else {
      self = .unkept
    }
  }

  /// Creates the span of work that continues a stranger's trace, about which the port decides as about one of its own.
  ///
  /// The port is asked about a number of ours: one of the caller's could be chosen so that it is kept.
  package init(continuing caller: TelemetrySpan, decidedBy telemetry: any Telemetry) {
    let own: UInt128
    (own, id) = UniqueNumber.nextOfTrace()
    traceID = caller.traceID
    parentID = caller.id
    isSampled = telemetry.keeps(traceID: own)
    outside = caller.outside
  }

  /// The span of all work whose trace nobody keeps, and that is carried on nowhere; its numbers are constants.
  package static let unkept = TelemetrySpan()

  private init() {
    (traceID, id) = (1, 1)
    parentID = nil
    isSampled = false
    outside = nil
  }

  /// Whether this is ``unkept``, which is made no task-local value, as its parts get it all the same.
  package var isUnkept: Bool { id == Self.unkept.id }

  /// Does work as a part of this.
  package func including<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    if isUnkept { return try await body() }
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Creates the span that a field `traceparent` names; nil unless it is valid.
  public init?(traceparent: String) {
    let bytes = Array(traceparent.utf8)
    // Later versions may add fields at the end, and keep the first four.
    guard bytes.count == 55 || bytes.count > 55 && bytes[55] == UInt8(ascii: "-"),
      bytes[2] == UInt8(ascii: "-"), bytes[35] == UInt8(ascii: "-"),
      bytes[52] == UInt8(ascii: "-"),
      let version: UInt64 = Self.number(bytes[0..<2]), version != 0xFF,
      version != 0 || bytes.count == 55,
      let high: UInt64 = Self.number(bytes[3..<19]), let low: UInt64 = Self.number(bytes[19..<35]),
      let id: UInt64 = Self.number(bytes[36..<52]), let flags: UInt64 = Self.number(bytes[53..<55]),
      high | low != 0, id != 0
    else { return nil }
    self.init(
      traceID: UInt128(high) << 64 | UInt128(low), id: id, isSampled: flags & 1 == 1)
  }

  /// The value of the field `traceparent`, with which a server continues the trace.
  public var traceparent: String {
    "00-\(traceText)-\(Self.text(id))-\(isSampled ? "01" : "00")"
  }

  /// The value of the field `traceparent` of a request that is sent in the work of this span; nil to send none.
  ///
  /// A span that is not kept is unknown to whoever looks the trace up, so a request names the span of the caller instead,
  /// with the caller's flag. Where there is no caller, a field would have the other server keep nothing either.
  package var carriedTraceparent: String? {
    if isSampled { return traceparent }
    return outside.map {
      TelemetrySpan(traceID: traceID, id: $0.id, isSampled: $0.isSampled).traceparent
    }
  }

  /// The number of the trace, as 32 hexadecimal digits.
  public var traceText: String {
    Self.text(UInt64(truncatingIfNeeded: traceID >> 64))
      + Self.text(UInt64(truncatingIfNeeded: traceID))
  }

  /// The number of the span, as 16 hexadecimal digits.
  public var idText: String { Self.text(id) }

  /// Returns the number of a span as 16 hexadecimal digits.
  package static func text(_ number: UInt64) -> String {
    hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
  }

  /// Reads lower-case hexadecimal digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - 0x57)
      default: return nil
      }
    }
    return number
  }
}

/// Numbers of which none comes twice in a process.
///
/// They are no secret: from one number, the next ones can be computed.
package enum UniqueNumber {
  /// Returns a number that no other call has returned, and that is not 0.
  package static func next() -> UInt64 {
    let number = mixed(place.wrappingAdd(step, ordering: .relaxed).newValue)
    return number == 0 ? next() : number
  }

  /// Returns the numbers of a new trace and of its first span.
  static func nextOfTrace() -> (traceID: UInt128, id: UInt64) {
    // One atomic addition instead of three.
    let last = place.wrappingAdd(3 &* step, ordering: .relaxed).newValue
    let (high, low, id) = (mixed(last &- 2 &* step), mixed(last &- step), mixed(last))
    return id == 0 ? nextOfTrace() : (UInt128(high) << 64 | UInt128(low), id)
  }

  // SplitMix64 from a random start: no number comes twice, and the kernel is not asked for each.
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mixed(_ place: UInt64) -> UInt64 {
    var number = place
    number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
    return number ^ number >> 31
  }

  private static let place = Atomic(UInt64.random(in: .min ... .max))
}
