internal import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An e-mail, ready to be sent.
struct Email {
  let sender: MailAddress
  let recipient: MailAddress
  let content: MailContent
  /// The identifier, the same each time the message is sent.
  let messageID: String
  let date: Date

  /// The header fields, each of which may have several lines; those of MIME are added when it is sent.
  var fields: [String] {
    [
      "From: \(HeaderText.mailbox(sender, column: 6))",
      "To: \(HeaderText.mailbox(recipient, column: 4))",
      "Subject: \(HeaderText.unstructured(content.subject, column: 9))",
      "Date: \(HeaderText.date(date))",
      "Message-ID: <\(messageID)>",
      // Nobody is to answer it by machine (RFC 3834).
      "Auto-Submitted: auto-generated",
    ]
  }
}

extension OutboxMessage {
  /// Returns the identifier of the e-mail about this message (RFC 5322 section 3.6.4).
  ///
  /// It has the number of the message, and a digest of what it says: two outboxes with one sender have the same
  /// numbers.
  func messageID(number: Int, domain: String) throws -> String {
    let parts = [
      kind.rawValue, account?.primaryID?.rawValue, account?.secondID?.rawValue,
      originalTransactionID, expireDate?.description, reference,
    ]
    let text = parts.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined(separator: ",")
    let digits = hexadecimal(try SHA256.digest(of: Array(text.utf8))).prefix(16)
    return "outbox.\(number).\(digits)@\(domain)"
  }
}
