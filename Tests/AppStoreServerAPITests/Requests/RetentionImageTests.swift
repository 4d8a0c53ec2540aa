import AppStoreServerAPI
import Testing

@Suite("Images of messages")
struct RetentionImageTests {
  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    bytes(UInt32(data.count)) + Array(name.utf8) + data + [0, 0, 0, 0]
  }

  static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  /// A PNG file without checksums.
  static func png(
    _ width: UInt32, _ height: UInt32, colorType: UInt8 = 2, chunks: [[UInt8]] = []
  ) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", bytes(width) + bytes(height) + [8, colorType, 0, 0, 0])
      + chunks.flatMap(\.self) + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  static func fault(_ bytes: [UInt8], _ size: ImageSize) -> InvalidRequest? {
    do throws(InvalidRequest) {
      try RetentionImage(bytes: bytes, size: size).validate()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "are accepted in Apple's sizes",
    arguments: [(3840, 160, .fullSize), (3840, 2160, .fullSize), (1024, 1024, .bulletPoint)]
      as [(UInt32, UInt32, ImageSize)])
  func accepted(width: UInt32, height: UInt32, size: ImageSize) {
    for colorType in [UInt8(0), 2, 3] {
      #expect(Self.fault(Self.png(width, height, colorType: colorType), size) == nil)
    }
    let palette = Self.png(
      width, height, colorType: 3, chunks: [Self.chunk("PLTE", [1, 2, 3])])
    #expect(Self.fault(palette, size) == nil)
  }

  @Test(
    "are refused in other sizes",
    arguments: [
      (3840, 159, .fullSize), (3840, 2161, .fullSize), (3839, 160, .fullSize),
      (1024, 1024, .fullSize), (3840, 160, .bulletPoint), (1024, 1023, .bulletPoint),
      (1025, 1024, .bulletPoint), (0, 0, .fullSize), (.max, .max, .fullSize),
    ] as [(UInt32, UInt32, ImageSize)])
  func size(width: UInt32, height: UInt32, size: ImageSize) {
    #expect(
      Self.fault(Self.png(width, height), size) == InvalidRequest("image", .notAcceptedImage))
  }

  @Test("are refused with an alpha channel, transparent colors or an unknown color type")
  func transparency() {
    let refusal = InvalidRequest("image", .notAcceptedImage)
    for colorType in [UInt8(4), 6, 1, 7] {
      #expect(Self.fault(Self.png(3840, 160, colorType: colorType), .fullSize) == refusal)
    }
    let colors = Self.png(3840, 160, chunks: [Self.chunk("tRNS", [0, 0])])
    #expect(Self.fault(colors, .fullSize) == refusal)
  }

  @Test("are refused when they are cut anywhere, or no PNG at all")
  func cut() {
    let whole = Self.png(1024, 1024)
    for count in 0..<whole.count {
      #expect(
        Self.fault(Array(whole.prefix(count)), .bulletPoint)
          == InvalidRequest("image", .notAcceptedImage))
    }
    var other = whole
    other[1] = 0x51
    #expect(Self.fault(other, .bulletPoint) != nil)
    var endless = Array(whole[..<33])
    endless += [0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8) + [0, 0, 0, 0]
    #expect(Self.fault(endless, .bulletPoint) != nil)
  }

  @Test("have a known size")
  func unknownSize() {
    #expect(
      Self.fault(Self.png(1024, 1024), ImageSize(rawValue: "TINY"))
        == InvalidRequest("imageSize", .notAccepted))
  }
}
