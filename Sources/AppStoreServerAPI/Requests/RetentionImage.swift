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
