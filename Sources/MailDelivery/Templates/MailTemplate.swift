internal import ReceiptModels

/// A subject, a text and, if one is wanted, HTML, with placeholders such as `{{tier}}`.
///
/// The placeholders are those of ``MailPlaceholder``. A value never breaks out of its place: in the subject and
/// in the text it stays on its line, in HTML it is text.
public struct MailTemplate: Hashable, Sendable {
  /// The mistake in a template.
  @nonexhaustive
  public enum Fault: Error, Hashable, Sendable {
    /// There is no value of this name, of which the first 40 characters are given.
    case unknownPlaceholder(String)
    /// A `{{` has no `}}`.
    case unclosedPlaceholder
    /// The subject is empty or has several lines.
    case malformedSubject
    case emptyText
  }

  let subject: TemplateText
  let text: TemplateText
  let html: TemplateText?

  /// Creates a template.
  ///
  /// The subject is one line, the HTML a whole document; nil for none.
  public init(subject: String, text: String, html: String? = nil) throws(Fault) {
    guard !subject.isBlank, !subject.unicodeScalars.contains(where: \.isControl) else {
      throw .malformedSubject
    }
    guard !text.isBlank else { throw .emptyText }
    self.subject = try TemplateText(subject)
    self.text = try TemplateText(text)
    self.html = try html.map { html throws(Fault) in try TemplateText(html) }
  }

  /// Returns the content about a message.
  func content(_ values: [MailPlaceholder: String]) -> MailContent {
    MailContent(
      subject: subject.filled(values, MailEscape.plain),
      text: text.filled(values, MailEscape.plain), html: html?.filled(values, MailEscape.html))
  }
}

/// The content of an e-mail.
struct MailContent: Hashable {
  var subject: String
  /// Plain text; lines end with CR and LF.
  var text: String
  var html: String?
}
