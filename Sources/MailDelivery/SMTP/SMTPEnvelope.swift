internal import CStorekeeperCurl

/// An e-mail in the form that curl takes, with all that has to live as long as it is sent.
@safe
final class SMTPEnvelope {
  private let handle: UnsafeMutableRawPointer
  private let sender: String
  private var recipients: UnsafeMutablePointer<curl_slist>?
  private var fields: UnsafeMutablePointer<curl_slist>?
  private let parts: OpaquePointer

  /// Creates the form of an e-mail for a handle; nil for lack of memory.
  init?(_ email: Email, for handle: UnsafeMutableRawPointer) {
    guard let parts = unsafe curl_mime_init(handle) else { return nil }
    unsafe self.handle = handle
    unsafe self.parts = parts
    sender = "<\(email.sender.address)>"
    // From here on, deinit frees all three.
    guard unsafe Self.append("<\(email.recipient.address)>", to: &recipients),
      email.fields.allSatisfy({ unsafe Self.append($0, to: &fields) }),
      unsafe Self.append("Content-Type: multipart/alternative", to: &fields),
      add(email.content.text, type: "text/plain"),
      email.content.html.map({ add($0, type: "text/html") }) ?? true
    else { return nil }
  }

  deinit {
    // Curl must not use them any more.
    _ = unsafe ccurl_set_mime(handle, nil)
    _ = unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, nil)
    _ = unsafe ccurl_set_list(handle, CURLOPT_MAIL_RCPT, nil)
    unsafe curl_mime_free(parts)
    unsafe curl_slist_free_all(fields)
    unsafe curl_slist_free_all(recipients)
  }

  /// Sets the options of the handle.
  func apply() -> CURLcode {
    var code = unsafe ccurl_set_text(handle, CURLOPT_MAIL_FROM, sender)
    if code == CURLE_OK { code = unsafe ccurl_set_list(handle, CURLOPT_MAIL_RCPT, recipients) }
    if code == CURLE_OK { code = unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields) }
    if code == CURLE_OK { code = unsafe ccurl_set_mime(handle, parts) }
    return code
  }

  private func add(_ text: String, type: String) -> Bool {
    guard let part = unsafe curl_mime_addpart(parts) else { return false }
    let bytes = Array(text.utf8)
    let code = unsafe bytes.withUnsafeBytes { bytes in
      // An empty text may have no address.
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return unsafe curl_mime_data(part, "", 0)
      }
      return unsafe curl_mime_data(part, start, bytes.count)
    }
    return unsafe code == CURLE_OK && curl_mime_type(part, "\(type); charset=utf-8") == CURLE_OK
      && curl_mime_encoder(part, "quoted-printable") == CURLE_OK
  }

  private static func append(
    _ text: String, to list: inout UnsafeMutablePointer<curl_slist>?
  ) -> Bool {
    guard let longer = unsafe curl_slist_append(list, text) else { return false }
    unsafe list = longer
    return true
  }
}
