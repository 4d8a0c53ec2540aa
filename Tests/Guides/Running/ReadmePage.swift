/// The README, whose program is run.
struct ReadmePage: Page {
  static func run() async throws {
    try await Claims.expect(2) { try await FirstPurchase.main() }
  }
}
