import StorekeeperCrypto
import Testing

@Suite("Bytes in hexadecimal, and compared")
struct ByteTests {
  @Test("every byte has two digits in lower case")
  func hexadecimalDigits() {
    #expect(hexadecimal([]) == "")
    #expect(hexadecimal([0x00, 0x0F, 0x10, 0xA9, 0xFF]) == "000f10a9ff")
  }

  @Test("digits in either case stand for bytes; an odd number of them, or anything else, for none")
  func hexadecimalBytes() {
    #expect(bytes(hexadecimal: "") == [])
    #expect(bytes(hexadecimal: "000f10A9fF") == [0x00, 0x0F, 0x10, 0xA9, 0xFF])
    for text in ["0", "000", "0g", "0:", "0/", "0@", "0`", "-1", "0x", " 0", "٠٠", "é"] {
      #expect(bytes(hexadecimal: text) == nil, "\(text)")
    }
  }

  @Test("bytes are the same where all are, and there are as many")
  func constantTime() {
    let all: [[UInt8]] = [[], [0], [1, 2, 3], [1, 2, 4], [0, 2, 3], [1, 2, 3, 0]]
    for (one, left) in all.enumerated() {
      for (other, right) in all.enumerated() {
        #expect(isEqualInConstantTime(left, right) == (one == other))
      }
    }
  }
}
