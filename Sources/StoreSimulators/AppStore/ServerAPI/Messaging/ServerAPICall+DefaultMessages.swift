internal import JSONValues
internal import StorekeeperLocks

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
