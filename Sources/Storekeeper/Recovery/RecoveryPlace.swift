internal import PurchaseStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The moment up to which a recovery has read, with the lease.
struct RecoveryPlace {
  let lease: JobPlace
  private(set) var date: Date?

  init(_ lease: JobPlace) {
    self.lease = lease
    date = lease.place.flatMap { Int($0) }.map { StoredMoment.date(milliseconds: $0) }
  }

  /// The place as it is stored; empty if there is none.
  var text: String { date?.placeText ?? "" }

  mutating func move(to next: Date) { date = max(next, date ?? next) }
}

extension Date {
  /// The date as the place of a job, in milliseconds since 1970.
  var placeText: String { String(StoredMoment.milliseconds(self)) }
}
