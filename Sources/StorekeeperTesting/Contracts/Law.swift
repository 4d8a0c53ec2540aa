internal import PurchaseStorage

/// A law of a store.
typealias StoreLaw = Law<any PurchaseStore>

/// A law of a subject, such as a store.
struct Law<Subject>: Sendable {
  let name: String
  let check: @Sendable (Subject) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
    self.name = name
    self.check = check
  }
}
