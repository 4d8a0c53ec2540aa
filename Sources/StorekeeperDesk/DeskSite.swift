internal import HTTPMessages
internal import ReceiptModels
internal import StorekeeperHTTP

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The pages of a desk where it is mounted.
struct DeskSite: Sendable {
  let desk: Desk
  let access: DeskAccess
  let prefix: String

  static let signInPath = "/sign-in"
  /// The maximum number of bytes in a form.
  private static let formLimit = 64 << 10
  /// The maximum number of bytes in a form with a receipt, whose characters may be escaped.
  private static let evidenceLimit = 4 << 20

  /// The paths that are open to everybody, as they tell nothing.
  var openPaths: Set<String> { [prefix + Self.signInPath, prefix + "/style.css"] }

  var pages: [PageAPI.Page] {
    [
      page("", overview), page("/customers/{id}", customer), page("/purchases/{id}", purchase),
      page("/find") { _, _ in redirect(to: link("")) }, form("/find", find),
      form("/evidence", pasted),
      page("/money", money), page("/products", products), page("/disputes", disputes),
      page("/parked", parked), page("/undecoded", undecoded), page("/workers", workers),
      page("/questions", questions), page("/answer", answering),
      form("/notifications/{id}", notifications),
      PageAPI.Page(.get, Self.signInPath) { signInPage($0) },
      PageAPI.Page(.post, Self.signInPath, bodyLimit: 8192) { try await signIn($0) },
      PageAPI.Page(.post, "/sign-out", bodyLimit: 8192) { signOut($0) },
      PageAPI.Page(.get, "/style.css") { _ in Self.style },
    ] + actPages
  }

  typealias Handler = @Sendable (PageRequest, DeskSession) async throws -> HTTPResponseMessage

  func page(_ path: String, _ handler: @escaping Handler) -> PageAPI.Page {
    PageAPI.Page(.get, path, handler: signedIn(handler))
  }

  func form(_ path: String, _ handler: @escaping Handler) -> PageAPI.Page {
    let limit = path == "/evidence" ? Self.evidenceLimit : Self.formLimit
    return PageAPI.Page(.post, path, bodyLimit: limit, handler: signedIn(handler))
  }

  /// Returns a handler that only who is signed in reaches.
  private func signedIn(
    _ handler: @escaping Handler
  ) -> @Sendable (PageRequest) async throws -> HTTPResponseMessage {
    { request in
      guard let session = try await access.session(of: request.message) else {
        return signInPage(request)
      }
      return try await handler(request, session)
    }
  }

  // MARK: Links

  func link(_ path: StaticString, _ text: String? = nil, _ query: [(String, String)] = [])
    -> DeskLink
  {
    DeskLink(prefix, path, text, query)
  }

  func purchaseLink(_ id: String, _ environment: AppStoreEnvironment) -> DeskLink {
    link("/purchases", id, environment == .production ? [] : [("in", environment.rawValue)])
  }

  /// The rule of a finding, with a link where the host has told the address of the rules.
  func rule(_ rule: DeskRule) -> Markup {
    guard let base = desk.rulesAddress else { return Markup(DeskText.rule(rule)) }
    return a(.href(DeskLink(rule: rule, below: base))) { DeskText.rule(rule) }
  }

  /// A moment in a table; nothing for one that is not known.
  func moment(_ date: Date?) -> Markup {
    guard let date = date?.readable else { return Markup() }
    return timeElement(Attribute("datetime", date.formatted(.iso8601))) { DeskText.moment(date) }
  }

  // MARK: Signing in and out

  func signInPage(_ request: PageRequest, isRefused: Bool = false) -> HTTPResponseMessage {
    DeskPage(self, DeskText.signIn, for: nil) {
      if isRefused { p(.class("alert"), Attribute("role", "alert")) { DeskText.wrongToken } }
      StorekeeperDesk.form(Attribute("method", "post"), .action(link("/sign-in"))) {
        p {
          label(Attribute("for", "token")) { DeskText.token }
          input(
            .id("token"), .name("token"), .type("password"), .required,
            Attribute("autocomplete", "current-password"))
        }
        p { button(.type("submit")) { DeskText.signIn } }
      }
    }.response(.forbidden)
  }

  private func signIn(_ request: PageRequest) async throws -> HTTPResponseMessage {
    guard request.isFromOwnPage, let token = request.form()?["token"],
      let cookie = try await access.cookie(for: token)
    else { throw AnsweredPage(signInPage(request, isRefused: true)) }
    return redirect(to: link(""), setting: cookie)
  }

  private func signOut(_ request: PageRequest) -> HTTPResponseMessage {
    guard request.isFromOwnPage else { return failurePage(.forbidden) }
    return redirect(to: link("/sign-in"), setting: access.endedCookie)
  }

  func redirect(to link: DeskLink, setting cookie: String? = nil) -> HTTPResponseMessage {
    var headers = DeskPage.headers
    // The values are of visible ASCII, so `set` does not throw.
    try? headers.set(link.address, for: .location)
    if let cookie { try? headers.set(cookie, for: "Set-Cookie") }
    return HTTPResponseMessage(status: 303, headers: headers)
  }

  // MARK: Others

  func failurePage(_ status: HTTPStatusCode) -> HTTPResponseMessage {
    DeskPage(self, DeskText.failure(status.code), for: nil) {
      p { a(.href(link(""))) { DeskText.overview } }
    }.response(status)
  }

  private static let style = HTTPResponseMessage(
    status: .ok,
    headers: [
      .contentType: "text/css; charset=utf-8", .cacheControl: "private, max-age=300",
      "X-Content-Type-Options": "nosniff",
    ], body: Array(DeskStyle.source.utf8))

  /// The form to find something, which each page has.
  func findForm() -> Markup {
    StorekeeperDesk.form(
      Attribute("method", "post"), .action(link("/find")), Attribute("role", "search")
    ) {
      input(
        .name("q"), .type("search"), .label(DeskText.findHint), .required,
        Attribute("placeholder", DeskText.findHint))
      button(.type("submit")) { DeskText.find }
    }
  }
}

extension PageRequest {
  /// Whether a form comes from a page of the same origin, as the browser says; also if it says nothing, as very old
  /// ones do.
  ///
  /// Source: Fetch Metadata Request Headers, section 2.3; RFC 6454, section 7.
  var isFromOwnPage: Bool {
    if let site = message.headers["Sec-Fetch-Site"] {
      return site == "same-origin" || site == "none"
    }
    guard let origin = message.headers["Origin"] else { return true }
    guard let host = message.headers["Host"] else { return false }
    return origin == "https://\(host)" || origin == "http://\(host)"
  }

  /// The number of a page, from 1.
  var page: Int { min(max(parameter("page").flatMap { Int($0) } ?? 1, 1), 1_000_000) }
}
