import HTTPMessages

extension HTTPResponse {
  /// The page with the buttons.
  static let page = HTTPResponse(
    status: .ok,
    headers: [
      .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
      // The page is one file: nothing is loaded from elsewhere, and nobody frames it.
      "Content-Security-Policy":
        "default-src 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
    ], body: PackageResources.page_html)
}
