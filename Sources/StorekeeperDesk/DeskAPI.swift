public import HTTPMessages
internal import Storekeeper
public import StorekeeperHTTP

/// The pages of a ``Desk`` over HTTP, for any server.
///
/// ```swift
/// let pages = DeskAPI(desk, access: access)
/// let response = await pages.respond(to: request)
/// ```
///
/// Whoever is not signed in gets the page to sign in on for every address below the desk, known or not. Pages load
/// nothing but their own style sheet, and run no script. Answers are never cached.
public struct DeskAPI: RequestResponder {
  private let site: DeskSite
  private let pages: PageAPI

  /// Creates the pages.
  ///
  /// - Parameters:
  ///   - desk: The desk.
  ///   - access: The way in which the host's staff signs in.
  ///   - prefix: The beginning of the paths, without a trailing slash.
  ///   - options: The settings that the APIs of a host share, of which the prefix is not used.
  public init(
    _ desk: Desk, access: DeskAccess, prefix: String = "/desk", options: APIOptions = APIOptions()
  ) {
    var options = options
    options.prefix = prefix
    let site = DeskSite(desk: desk, access: access, prefix: options.prefix)
    self.site = site
    pages = PageAPI(site.pages, options: options, telling: desk.context.telemetry) { answer in
      site.failurePage(answer)
    }
  }

  public var routes: [APIRoute] { pages.routes }

  /// Returns whether the path of a URL is that of the desk, or below it.
  public func knows(_ url: String) -> Bool {
    let path = String(Substring(HTTPRequestMessage(url: url).path))
    return path == site.prefix || path.hasPrefix(site.prefix + "/")
  }

  /// Checks the head of a request: who is signed in, path, method, and declared length.
  public func judge(head: HTTPRequestMessage) async -> HeadJudgement {
    await pages.judge(head: await admitted(head))
  }

  /// Returns the head of a request, or that of the page to sign in on.
  private func admitted(_ head: HTTPRequestMessage) async -> HTTPRequestMessage {
    let path = String(Substring(head.path))
    guard !site.openPaths.contains(path) else { return head }
    do {
      guard try await site.access.session(of: head) == nil else { return head }
    } catch {
      // The page meets the failure of the host's authenticator again, and answers it.
      return head
    }
    var asked = head
    (asked.method, asked.url) = (.get, site.prefix + DeskSite.signInPath)
    return asked
  }
}
