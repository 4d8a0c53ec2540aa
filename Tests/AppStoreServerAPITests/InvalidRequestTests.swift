import AppStoreServerAPI
import Testing

@Suite struct InvalidRequestTests {
  @Test("A fault names its field and no value")
  func description() {
    #expect(
      InvalidRequest("extendByDays", .outOfRange(allowed: 1...90, found: 91)).description
        == "extendByDays: 1 to 90, found 91")
  }
}
