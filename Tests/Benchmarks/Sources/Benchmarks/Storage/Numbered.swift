/// Accounts and subscriptions by number, the same in Swift, in C and in SQL.
enum Numbered {
  /// A stored subscription that may be linked; from 1.
  static func subscription(_ number: Int) -> String { String(400_000_000_000_000 + number) }

  /// An account; its identifiers are not in the order of their numbers, as with random ones.
  static func account(_ number: Int) -> String {
    let scattered = UInt64(number) &* 2_654_435_761 & 0xFFFF_FFFF
    return "\(hex(scattered, 8))-1111-4222-8333-\(hex(UInt64(number), 12))"
  }

  /// The same in SQL, of a number that a column or another expression gives.
  static func accountSQL(_ number: String, _ kind: DatabaseKind) -> String {
    let scattered = "((\(number)) * 2654435761 & 4294967295)"
    switch kind {
    case .sqlite: return "printf('%08x-1111-4222-8333-%012x', \(scattered), \(number))"
    case .postgres:
      return "lpad(to_hex(\(scattered)), 8, '0') || '-1111-4222-8333-'"
        + " || lpad(to_hex(\(number)), 12, '0')"
    case .mariadb:
      return "lpad(lower(hex(\(scattered))), 8, '0') || '-1111-4222-8333-'"
        + " || lpad(lower(hex(\(number))), 12, '0')"
    }
  }

  private static func hex(_ number: UInt64, _ length: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
  }
}
