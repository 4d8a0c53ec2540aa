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
