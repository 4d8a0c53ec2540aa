internal import ReceiptModels
internal import StorekeeperLocks

/// The fields of memberships with values that nobody knows, as a unit of work met them.
///
/// They are told when it has ended: it may run more than once, and has no effect but through its
/// records.
///
/// Source: contract on linking, section 1.3.
final class UnknownFields: Sendable {
  private let fields = Locked<Set<Membership.Field>>([])

  /// Looks at memberships that were read.
  func note(_ memberships: [Membership]) {
    let found = memberships.flatMap(\.unknownFields)
    if !found.isEmpty { fields.withLock { $0.formUnion(found) } }
  }

  /// Tells each field once.
  func tell(_ report: (ServiceIncident) -> Void) {
    let found = fields.withLock { $0 }
    for field in Membership.Field.allCases where found.contains(field) {
      report(.unknownValue(field))
    }
  }
}
