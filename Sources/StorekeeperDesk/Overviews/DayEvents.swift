internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The events of the last 24 hours, counted by type and by hour.
struct DayEvents: Sendable {
  /// The newest events that are looked at; of more, the earlier ones are not counted.
  static let limit = 2000

  /// The hours (UTC), the earliest first, with their numbers of events; of the first one a part is within the day.
  private(set) var hours: [(hour: Int, count: Int)] = []
  /// The types that occurred, the most frequent first.
  private(set) var types: [(type: String, count: Int)] = []
  /// Whether there were more events than are counted.
  private(set) var isCut = false

  /// Counts the newest events.
  init(_ events: [EventRecord], at now: Date) {
    let present = Int((now.timeIntervalSince1970 / 3600).rounded(.down))
    var (byHour, byType) = ([Int: Int](), [String: Int]())
    for event in events {
      guard now - 86_400 < event.date else { continue }
      let hour = min(present, Int((event.date.timeIntervalSince1970 / 3600).rounded(.down)))
      byHour[hour, default: 0] += 1
      byType[event.type, default: 0] += 1
    }
    hours = (present - 24...present).map { ($0 % 24, byHour[$0] ?? 0) }
    types = byType.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    isCut = events.count == Self.limit && byType.values.reduce(0, +) == Self.limit
  }

  /// Reads and counts the newest events; none where the store keeps no events.
  static func load(at now: Date, _ records: UnitOfWork) async throws -> DayEvents {
    DayEvents(try await records.common.events?.newest(of: nil, limit: limit) ?? [], at: now)
  }

  /// The types that somebody may want to look into.
  static let troubles: Set<String> = Set(
    [
      PurchaseEvent.Kind.purchaseRefunded, .membershipLapsed, .creditsClawedBack,
      .notificationNotDecoded, .disputeRecorded,
    ].map(\.rawValue))
}
