import HTTPMessages
import Testing

/// Source: RFC 6890 and the registries of special-purpose addresses of IANA.
@Suite("Addresses of the Internet")
struct NetworkAddressTests {
  @Test(
    "addresses of this machine, private networks and ranges that are set aside are not global",
    arguments: [
      [0, 0, 0, 0], [10, 0, 0, 1], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1],
      [127, 255, 0, 1], [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255], [192, 0, 0, 8],
      [192, 0, 2, 1], [192, 88, 99, 1], [192, 168, 1, 1], [198, 18, 0, 1], [198, 19, 255, 255],
      [198, 51, 100, 1], [203, 0, 113, 1], [224, 0, 0, 1], [240, 0, 0, 1], [255, 255, 255, 255],
    ] as [[UInt8]])
  func refused(_ bytes: [UInt8]) {
    #expect(!NetworkAddress.isGlobal(bytes))
    let zeros = [UInt8](repeating: 0, count: 10)
    // The same, mapped to version 6, behind a translator, and in 6to4.
    #expect(!NetworkAddress.isGlobal(zeros + [0xFF, 0xFF] + bytes))
    #expect(!NetworkAddress.isGlobal([0, 0x64, 0xFF, 0x9B] + zeros.prefix(8) + bytes))
    #expect(!NetworkAddress.isGlobal([0x20, 0x02] + bytes + zeros))
  }

  @Test(
    "all others are",
    arguments: [
      [8, 8, 8, 8], [1, 1, 1, 1], [100, 63, 255, 255], [100, 128, 0, 0], [172, 15, 0, 1],
      [172, 32, 0, 1], [169, 253, 0, 1], [192, 0, 1, 1], [192, 167, 1, 1], [198, 17, 0, 1],
      [198, 20, 0, 1], [203, 0, 112, 1], [223, 255, 255, 255],
    ] as [[UInt8]])
  func allowed(_ bytes: [UInt8]) {
    #expect(NetworkAddress.isGlobal(bytes))
    let zeros = [UInt8](repeating: 0, count: 10)
    #expect(NetworkAddress.isGlobal(zeros + [0xFF, 0xFF] + bytes))
  }

  @Test(
    "of version 6, global unicast counts alone",
    arguments: [
      ([0, 0, 0, 0], false), ([0xFC, 0, 0, 0], false), ([0xFD, 0, 0, 1], false),
      ([0xFE, 0x80, 0, 0], false), ([0xFE, 0xC0, 0, 0], false), ([0xFF, 2, 0, 0], false),
      ([0x20, 1, 0, 0], false), ([0x20, 1, 0x0D, 0xB8], false), ([0x3F, 0xFF, 0x0F, 0], false),
      ([0x20, 1, 0x48, 0x60], true), ([0x26, 6, 0x47, 0], true), ([0x3F, 0xFF, 0x10, 0], true),
    ] as [([UInt8], Bool)])
  func version6(_ start: [UInt8], _ isGlobal: Bool) {
    let rest = [UInt8](repeating: 0, count: 11) + [1]
    #expect(NetworkAddress.isGlobal(start + rest) == isGlobal)
  }

  @Test("what has another length is none")
  func lengths() {
    for count in [0, 3, 5, 15, 17] {
      #expect(!NetworkAddress.isGlobal([UInt8](repeating: 8, count: count)))
    }
  }
}
