internal import JSONValues
internal import StorekeeperLocks

extension ServerAPICall {
  /// The number of bullet points that the simulator takes; Apple has not published its own.
  private static let maximumBulletPoints = 5

  func messageList() -> ServerAPIAnswer {
    .json([
      "messageIdentifiers": .array(
        messaging.messages.sorted { $0.key < $1.key }.map { id, message in
          .object(["messageIdentifier": .string(id), "messageState": .string(message.state)])
        })
    ])
  }

  func uploadMessage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    let id = try pathUUID()
    let images = try images(in: try body())
    let state = firstState
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      for (image, size) in images {
        guard let known = messaging.images[image] else { throw ServerAPIRefusal(4_040_014) }
        guard known.size == size else { throw ServerAPIRefusal(4_000_216) }
      }
      guard messaging.messages[id] == nil else { throw ServerAPIRefusal(4_090_001) }
      guard messaging.messages.count < 2000 else { throw ServerAPIRefusal(4_030_016) }
      messaging.messages[id] = .init(images: Set(images.keys), state: state)
    }
    return .empty
  }

  func deleteMessage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    let id = try pathUUID()
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard messaging.messages.removeValue(forKey: id) != nil else {
        throw ServerAPIRefusal(4_040_015)
      }
      messaging.defaults = messaging.defaults.filter { $0.value != id }
    }
    return .empty
  }

  /// Checks the members of a message; returns its images with the sizes that they need.
  ///
  /// Lengths are counted in UTF-16 units.
  private func images(in body: [String: JSONValue]) throws(ServerAPIRefusal) -> [String: String] {
    _ = try text(body["header"], upTo: 66, or: 4_000_162)
    _ = try text(body["body"], upTo: 144, or: 4_000_163)
    var images: [String: String] = [:]
    if let image = body["image"] { images[try picture(image)] = "FULL_SIZE" }
    if let position = body["headerPosition"] {
      guard position == .string("ABOVE_BODY") || position == .string("ABOVE_IMAGE") else {
        throw ServerAPIRefusal(4_000_000)
      }
      if position == .string("ABOVE_IMAGE"), body["image"] == nil {
        throw ServerAPIRefusal(4_000_224)
      }
    }
    let points = body["bulletPoints"]?.elements ?? []
    guard points.count <= Self.maximumBulletPoints else { throw ServerAPIRefusal(4_000_218) }
    for point in points {
      _ = try text(point["text"], upTo: 66, or: 4_000_219)
      images[try picture(point)] = "BULLET_POINT"
    }
    return images
  }

  private func picture(_ value: JSONValue) throws(ServerAPIRefusal) -> String {
    guard let id = value["imageIdentifier"]?.uuid else { throw ServerAPIRefusal(4_000_000) }
    _ = try text(value["altText"], upTo: 150, or: 4_000_175)
    return id
  }

  private func text(
    _ value: JSONValue?, upTo limit: Int, or code: Int
  ) throws(ServerAPIRefusal) -> String {
    guard let text = value?.text, !text.isEmpty else { throw ServerAPIRefusal(4_000_000) }
    guard text.utf16.count <= limit else { throw ServerAPIRefusal(code) }
    return text
  }
}

extension ServerAPICall {
  func setDefaultMessage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    let place = try place()
    guard let id = try body()["messageIdentifier"]?.uuid else { throw ServerAPIRefusal(4_000_000) }
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard let message = messaging.messages[id] else { throw ServerAPIRefusal(4_040_015) }
      guard message.state == "APPROVED" else { throw ServerAPIRefusal(4_030_017) }
      guard message.images.allSatisfy({ messaging.images[$0]?.state == "APPROVED" }) else {
        throw ServerAPIRefusal(4_030_018)
      }
      messaging.defaults[place] = id
    }
    return .empty
  }

  func defaultMessage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    guard let id = messaging.defaults[try place()] else { throw ServerAPIRefusal(4_040_020) }
    return .json(["messageIdentifier": .string(id)])
  }

  func deleteDefaultMessage() throws(ServerAPIRefusal) -> ServerAPIAnswer {
    let place = try place()
    try withMessaging { (messaging) throws(ServerAPIRefusal) in
      guard messaging.defaults.removeValue(forKey: place) != nil else {
        throw ServerAPIRefusal(4_040_015)
      }
    }
    return .empty
  }

  private func place() throws(ServerAPIRefusal) -> MessagingState.DefaultPlace {
    let product = parameter("product")
    let locale = parameter("locale")
    guard isForSale(product) else { throw ServerAPIRefusal(4_000_023) }
    // A language, and perhaps a script or a region: "en", "en-US", "zh-Hans".
    let parts = locale.split(separator: "-", omittingEmptySubsequences: false)
    let isLocale =
      (1...3).contains(parts.count) && (2...3).contains(parts[0].utf8.count)
      && parts.allSatisfy { part in
        (2...4).contains(part.utf8.count)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
    guard isLocale else { throw ServerAPIRefusal(4_000_164) }
    return .init(product: product, locale: locale)
  }
}
