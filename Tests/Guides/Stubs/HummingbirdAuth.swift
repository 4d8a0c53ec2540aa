// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

import Hummingbird

public protocol AuthRequestContext<Identity>: RequestContext {
  associatedtype Identity: Sendable
  var identity: Identity? { get set }
}

public struct BasicAuthRequestContext<Identity: Sendable>: AuthRequestContext {
  public var id: String { "" }
  public var identity: Identity?
}
