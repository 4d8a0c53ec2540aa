import AppStoreServerAPI
import JSONValues
import ReceiptModels

extension Call {
  /// The calls about the images and texts of retention messages.
  static let messages: [String: Call] = [
    "image-list": Call("", 0) { question in
      Line.print(try await question.client.imageList().members)
    },
    "upload-image": Call("UUID FILE [--size full_size|bullet_point]", 2) { question in
      let size = try question.arguments.value("--size").map {
        ImageSize(rawValue: $0.uppercased())
      }
      let image = RetentionImage(
        bytes: try Contents.ofFile(question.words[1]), size: size ?? .fullSize)
      try await question.client.uploadImage(image, as: question.uuid(0, "imageIdentifier"))
      question.done()
    },
    "delete-image": Call("UUID", 1) { question in
      try await question.client.deleteImage(question.uuid(0, "imageIdentifier"))
      question.done()
    },
    "message-list": Call("", 0) { question in
      Line.print(try await question.client.messageList().members)
    },
    "upload-message": Call("UUID JSON", 2) { question in
      try await question.client.uploadMessage(
        question.model(1), as: question.uuid(0, "messageIdentifier"))
      question.done()
    },
    "delete-message": Call("UUID", 1) { question in
      try await question.client.deleteMessage(question.uuid(0, "messageIdentifier"))
      question.done()
    },
  ]
}

extension Call {
  /// The calls about the choice of retention messages.
  static let defaults: [String: Call] = [
    "default-message": Call("get|set|delete PRODUCT LOCALE [UUID]", 3...4) { question in
      let (client, words) = (question.client, question.words)
      switch (words[0], words.count) {
      case ("get", 3):
        let message = try await client.defaultMessage(forProduct: words[1], locale: words[2])
        Line.print(message?.members ?? ["messageIdentifier": .null])
      case ("set", 4):
        try await client.configureDefaultMessage(
          question.uuid(3, "messageIdentifier"), forProduct: words[1], locale: words[2])
        question.done()
      case ("delete", 3):
        try await client.deleteDefaultMessage(forProduct: words[1], locale: words[2])
        question.done()
      default:
        throw UsageFailure("the call is: default-message get|delete PRODUCT LOCALE, or set … UUID")
      }
    },
    "realtime-url": Call("get|set|delete [URL]", 1...2) { question in
      let (client, words) = (question.client, question.words)
      switch (words[0], words.count) {
      case ("get", 1):
        Line.print(try await client.realtimeURL()?.members ?? ["realtimeURL": .null])
      case ("set", 2):
        try await client.configureRealtimeURL(words[1])
        question.done()
      case ("delete", 1):
        try await client.deleteRealtimeURL()
        question.done()
      default: throw UsageFailure("the call is: realtime-url get|delete, or set URL")
      }
    },
    "performance-test": Call("ORIGINALID", 1) { question in
      question.done(
        try await question.client.initiatePerformanceTest(of: question.words[0]).members)
    },
    "performance-test-result": Call("REQUESTID", 1) { question in
      Line.print(try await question.client.performanceTestResults(question.words[0]).members)
    },
  ]
}
