import Foundation

/// The check of messages in BER of indefinite length, which are not always receipts from Xcode.
enum IndefiniteLength {
  static let message =
    "this is PKCS#7 in BER of indefinite length, as Apple's receipts never are, and does not say that "
    + "it is of Xcode"

  /// Returns whether a message, or its base64, contains the receipt type "Xcode" as a UTF8String.
  static func isOfXcode(_ bytes: [UInt8]) -> Bool {
    let isBinary = bytes.first == 0x30 && bytes.dropFirst().first == 0x80
    let text = String(decoding: bytes, as: UTF8.self)
    let decoded = isBinary ? nil : Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    return (decoded ?? Data(bytes)).range(of: Data([0x0C, 0x05] + Array("Xcode".utf8))) != nil
  }
}
