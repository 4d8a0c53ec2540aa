internal import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

extension ServerAPICall {
  func imageList() -> ServerAPIAnswer {
    .json([
      "imageIdentifiers": .array(
        messaging.images.sorted { $0.key < $1.key }.map { id, image in
          .object([
            "imageIdentifier": .string(id), "imageState": .string(image.state),
            "imageSize": .string(image.size),
          ])
        })
    ])
  }

  func uploadImage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    let id = try pathUUID()
    let size = value("imageSize") ?? "FULL_SIZE"
    guard ["FULL_SIZE", "BULLET_POINT"].contains(size) else { throw ServerAPIRefusal(4_000_216) }
    guard let picture = PNGHeader(request.body), !picture.hasTransparency else {
      throw ServerAPIRefusal(4_000_161)
    }
    let fits =
      size == "FULL_SIZE"
      ? picture.width == 3840 && (160...2160).contains(picture.height)
      : picture.width == 1024 && picture.height == 1024
    guard fits else { throw ServerAPIRefusal(4_000_161) }
    let state = firstState
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard messaging.images[id] == nil else { throw ServerAPIRefusal(4_090_000) }
      guard messaging.images.count < 2000 else { throw ServerAPIRefusal(4_030_014) }
      messaging.images[id] = .init(size: size, state: state)
    }
    return .empty
  }

  func deleteImage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    let id = try pathUUID()
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard messaging.images[id] != nil else { throw ServerAPIRefusal(4_040_014) }
      guard !messaging.messages.values.contains(where: { $0.images.contains(id) }) else {
        throw ServerAPIRefusal(4_030_019)
      }
      messaging.images[id] = nil
    }
    return .empty
  }
}

/// The properties of an image in the PNG format.
///
/// Source: PNG specification (third edition), sections 5.2, 5.3, 11.2.1 and 11.3.1.1.
struct PNGHeader {
  let width: Int
  let height: Int
  /// Whether some of it may be transparent.
  let hasTransparency: Bool

  /// Reads the chunks up to the first one with picture data; nil if these are not those of a PNG.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      bytes.count >= 33, Array(bytes[12..<16]) == Array("IHDR".utf8)
    else { return nil }
    func number(at index: Int) -> Int { bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
    width = number(at: 16)
    height = number(at: 20)
    // The colour types 4 and 6 have an alpha channel.
    var isTransparent = bytes[25] == 4 || bytes[25] == 6
    var index = 33
    while index + 8 <= bytes.count {
      let type = String(decoding: bytes[index + 4..<index + 8], as: UTF8.self)
      if type == "IDAT" || type == "IEND" { break }
      if type == "tRNS" { isTransparent = true }
      index += 12 + number(at: index)
    }
    hasTransparency = isTransparent
  }
}
