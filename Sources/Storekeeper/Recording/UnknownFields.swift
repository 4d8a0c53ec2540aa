internal import LinkPolicy
internal import ReceiptModels
internal import StorekeeperLocks

/// The membership fields in which a unit of work found unknown values.
///
/// They are reported after the unit of work has ended, because it may run more than once. Source: linking rules,
/// section 1.3.
final class UnknownFields: Sendable {
  private let fields = Locked<Set<Membership.Field>>([])
  private let products: ProductMap

  init(_ products: ProductMap) { self.products = products }

  /// Adds the fields of memberships that have unknown values.
  func note(_ memberships: [Membership]) {
    let found = memberships.flatMap { $0.unknownFields(besides: products) }
    if !found.isEmpty { fields.withLock { $0.formUnion(found) } }
  }

  /// Reports each field once, and forgets it.
  func tell(_ report: (ServiceIncident) -> Void) {
    let found = fields.withLock { fields in
      defer { fields = [] }
      return fields
    }
    for field in Membership.Field.allCases where found.contains(field) {
      report(.unknownValue(field))
    }
  }
}
