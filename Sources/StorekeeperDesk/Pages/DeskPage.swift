internal import HTTPMessages

/// A whole page: its title, its content, and who sees it.
struct DeskPage {
  let desk: DeskSite
  let title: String
  /// The member who is signed in; nil for the page to sign in on.
  var session: DeskSession?
  let content: Markup

  init(
    _ desk: DeskSite, _ title: String, for session: DeskSession?,
    @MarkupBuilder content: () -> Markup
  ) {
    self.desk = desk
    self.title = title
    self.session = session
    self.content = content()
  }

  /// The page as an answer.
  func response(_ status: HTTPStatusCode = .ok) -> HTTPResponseMessage {
    HTTPResponseMessage(status: status, headers: Self.headers, body: document.document)
  }

  private var document: Markup {
    StorekeeperDesk.html(Attribute("lang", DeskText.language)) {
      head {
        meta(Attribute("charset", "utf-8"))
        meta(Attribute("name", "viewport"), Attribute("content", "width=device-width"))
        StorekeeperDesk.title { "\(title) · \(DeskText.desk)" }
        link(Attribute("rel", "stylesheet"), .href(desk.link("/style.css")))
        link(Attribute("rel", "icon"), Attribute("href", "data:,"))
      }
      body {
        a(.class("skip"), Attribute("href", "#content")) { DeskText.skip }
        if let session { top(session) }
        main(.id("content")) {
          h1 { title }
          content
        }
      }
    }
  }

  private func top(_ session: DeskSession) -> Markup {
    header {
      nav(.label(DeskText.desk)) {
        a(.href(desk.link(""))) { DeskText.overview }
        a(.href(desk.link("/money"))) { DeskText.money }
        a(.href(desk.link("/products"))) { DeskText.productsWord }
        a(.href(desk.link("/disputes"))) { DeskText.disputes }
        a(.href(desk.link("/parked"))) { DeskText.parked }
        a(.href(desk.link("/undecoded"))) { DeskText.undecoded }
        a(.href(desk.link("/workers"))) { DeskText.workers }
        a(.href(desk.link("/acts"))) { DeskText.acts }
      }
      desk.findForm()
      form(Attribute("method", "post"), .action(desk.link("/sign-out")), .class("session")) {
        span { session.member.name }
        button(.type("submit")) { DeskText.signOut }
      }
    }
  }

  /// The fields of each page: nothing but the desk's own style sheet and forms is loaded, run, or framed.
  ///
  /// Source: Content Security Policy Level 3; OWASP HTTP Headers Cheat Sheet.
  static let headers: HTTPHeaders = [
    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
    "Content-Security-Policy":
      """
    default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors \
    'none'; base-uri 'none'
    """,
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  ]
}
