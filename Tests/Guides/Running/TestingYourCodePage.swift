/// The page `testing-your-code.md`, whose tests are run.
struct TestingYourCodePage: Page {
  static func run() async throws {
    let tests = MembershipTests()
    try await tests.renewal()
    try await tests.refund()
    let page = TestingYourCodePage()
    try await page.endpointsWithoutASocket()
    try await page.forgedData()
    try await page.receipts()
    _ = TestShop.self
  }
}
