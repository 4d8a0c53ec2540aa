public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// How far the rows reach that no store can tell again.
extension SQLRecords {
  /// Walks over the tables of the capabilities that the database has.
  public func newestEvents() async throws -> [HostEvent: Date] {
    var dates: [HostEvent: Date] = [:]
    if capabilities.contains(.subscriptions) {
      let row = try await session.query(.newestLinks, []).first ?? []
      // In seconds, in which their tables count.
      dates[.link] = row.prefix(2).compactMap(\.seconds).max()
      dates[.unlink] = row.last?.seconds
    }
    for (event, capability, statement) in [
      (HostEvent.association, SQLCapability.entitlements, SQLStatement.newestAssociation),
      (.order, .orders, .newestOrder), (.booking, .credits, .newestBooking),
    ] where capabilities.contains(capability) {
      dates[event] = try await session.query(statement, []).first?.first?.milliseconds
    }
    return dates
  }
}

extension SQLStatement {
  // A first link leaves a message, any other one a copy of the membership before it.
  static let newestLinks = SQLStatement(
    "newest_links",
    """
    SELECT (SELECT MAX(created_utc) FROM outbox WHERE kind = 'link'),
      (SELECT MAX(created_utc) FROM member_snapshot WHERE created_by = 'apple.link'),
      (SELECT MAX(created_utc) FROM apple_unlink_archive)
    """)

  static let newestAssociation = SQLStatement(
    "newest_association", "SELECT MAX(associated_at) FROM store_associations")

  static let newestOrder = SQLStatement(
    "newest_order", "SELECT MAX(validated_at) FROM user_subscriptions")

  /// Of the host's own bookings, which have no environment.
  static let newestBooking = SQLStatement(
    "newest_booking", "SELECT MAX(created_at) FROM credit_ledger WHERE environment = ''")
}
