/// An image of a message to retain a subscriber, to be uploaded.
///
/// Source: App Store Server API rules, section 2.5.
public struct RetentionImage: Hashable, Sendable {
  public var bytes: [UInt8]
  public var size: ImageSize

  /// Creates an image.
  public init(bytes: [UInt8], size: ImageSize = .fullSize) {
    self.bytes = bytes
    self.size = size
  }

  /// Checks that the bytes are a PNG image of the size, without an alpha channel and transparent
  /// colors.
  ///
  /// Checksums and compressed data are not checked.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.known(size, "imageSize")
    guard let header = PNGHeader(bytes), !header.isTransparent, isAccepted(header) else {
      throw InvalidRequest("image", .notAcceptedImage)
    }
  }

  private func isAccepted(_ header: PNGHeader) -> Bool {
    if size == .fullSize {
      header.width == 3840 && (160...2160).contains(header.height)
    } else {
      header.width == 1024 && header.height == 1024
    }
  }
}

/// The size and the transparency of a PNG image.
///
/// Source: PNG specification, third edition, sections 5.2, 5.3 and 11.
struct PNGHeader {
  let width: UInt32
  let height: UInt32
  /// Whether the image has an alpha channel or transparent colors.
  let isTransparent: Bool

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Creates the header of a file, or returns nil if it is not a complete sequence of chunks from
  /// IHDR to IEND with image data.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.signature) else { return nil }
    var rest = bytes[Self.signature.count...]
    guard let header = Chunk(removedFrom: &rest), header.isNamed("IHDR"), header.data.count == 13
    else { return nil }
    let data = Array(header.data)
    width = Self.number(data[0..<4])
    height = Self.number(data[4..<8])
    let colorType = data[9]
    let hasAlpha = colorType == 4 || colorType == 6
    guard hasAlpha || [0, 2, 3].contains(colorType) else { return nil }
    var hasTransparentColors = false
    var hasData = false
    while true {
      guard let chunk = Chunk(removedFrom: &rest) else { return nil }
      if chunk.isNamed("IEND") { break }
      if chunk.isNamed("tRNS") { hasTransparentColors = true }
      if chunk.isNamed("IDAT") { hasData = true }
    }
    guard hasData else { return nil }
    isTransparent = hasAlpha || hasTransparentColors
  }

  /// A part of the file: length, name, data and checksum.
  private struct Chunk {
    let name: ArraySlice<UInt8>
    let data: ArraySlice<UInt8>

    init?(removedFrom bytes: inout ArraySlice<UInt8>) {
      guard bytes.count >= 12 else { return nil }
      let length = Int(PNGHeader.number(bytes.prefix(4)))
      guard length <= bytes.count - 12 else { return nil }
      let start = bytes.startIndex
      name = bytes[start + 4..<start + 8]
      data = bytes[start + 8..<start + 8 + length]
      bytes = bytes[(start + 12 + length)...]
    }

    func isNamed(_ text: StaticString) -> Bool {
      name.elementsEqual(text.description.utf8)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
