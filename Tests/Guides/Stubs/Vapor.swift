// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

@_exported import Crypto
@_exported import Foundation
@_exported import Logging
@_exported import NIOCore
@_exported import NIOHTTP1

public typealias HTTPStatus = HTTPResponseStatus

public protocol Authenticator: Sendable {}
public protocol Middleware: Sendable {}

public protocol AbortError: Error {
  var status: HTTPResponseStatus { get }
}

public struct URI: Sendable {
  public let string: String
  public let path: String
}

public final class Request: Sendable {
  public struct Body: Sendable {
    public func collect(max: Int? = 1 << 14) -> EventLoopFuture<ByteBuffer?> { EventLoopFuture(nil) }
  }
  public let method = HTTPMethod.GET
  public let url = URI(string: "", path: "")
  public let headers = HTTPHeaders()
  public var body: Body { Body() }
}

public final class Response: Sendable {
  public struct Body: Sendable {
    public init(data: Data) {}
  }
  public init(status: HTTPResponseStatus = .ok, headers: HTTPHeaders = HTTPHeaders(), body: Body) {}
}

public protocol AsyncResponder: Sendable {
  func respond(to request: Request) async throws -> Response
}

public protocol AsyncMiddleware: Middleware {
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}

public struct Middlewares: Sendable {
  public enum Position: Sendable { case beginning, end }
  public func use(_ middleware: any Middleware, at position: Position = .end) {}
}

public final class Application: Sendable {
  public struct Lifecycle: Sendable {
    public func use(_ handler: any LifecycleHandler) {}
  }
  public let middleware = Middlewares()
  public let lifecycle = Lifecycle()
  public let logger = Logger(label: "")
}

public protocol LifecycleHandler: Sendable {
  func didBootAsync(_ application: Application) async throws
  func shutdownAsync(_ application: Application) async
}
