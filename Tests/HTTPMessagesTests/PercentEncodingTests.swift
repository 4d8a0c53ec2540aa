import HTTPMessages
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test("every byte but unreserved ones is percent-encoded")
  func encoding() {
    let unreserved = "ABCXYZabcxyz0189-._~"
    #expect(unreserved.percentEncoded == unreserved)
    #expect("a+/= &?#%\u{E9}\0".percentEncoded == "a%2B%2F%3D%20%26%3F%23%25%C3%A9%00")
    var count = 0
    for byte in UInt8(0)...127 {
      let text = String(decoding: [byte], as: UTF8.self)
      if text.percentEncoded == text { count += 1 }
    }
    #expect(count == 26 + 26 + 10 + 4)
  }
}
