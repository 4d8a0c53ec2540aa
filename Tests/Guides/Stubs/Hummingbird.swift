// swift-format-ignore-file
// declarations that stand for another package; see Tests/Guides/run.

import HTTPTypes
import Logging
import NIOCore
import ServiceLifecycle

public struct RequestBody: Sendable {
  public func collect(upTo maxSize: Int) async throws -> ByteBuffer { ByteBuffer(bytes: []) }
}

public struct ResponseBody: Sendable {
  public init(byteBuffer: ByteBuffer) {}
}

public struct URI: Sendable {
  public let string: String
  public let path: String
}

public struct Request: Sendable {
  public let uri: URI
  public let method: HTTPTypes.HTTPRequest.Method
  public let headers: HTTPFields
  public var body: RequestBody
}

public struct Response: Sendable {
  public init(status: HTTPTypes.HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: ResponseBody) {}
}

public protocol RequestContext: Sendable {
  var id: String { get }
}

public struct BasicRequestContext: RequestContext {
  public var id: String { "" }
}

public protocol ResponseGenerator: Sendable {}
extension Response: ResponseGenerator {}

public struct HTTPError: Error {
  public init(_ status: HTTPTypes.HTTPResponse.Status) {}
}

public struct RouterPath: Sendable, ExpressibleByStringLiteral {
  public init(_ value: String) {}
  public init(stringLiteral value: String) {}
}

public struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
  public init() {}
  public func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response { try await next(request, context) }
}

public struct LogRequestsMiddleware<Context: RequestContext>: RouterMiddleware {
  public init(_ level: Logger.Level) {}
  public func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response { try await next(request, context) }
}

public protocol RouterMiddleware<Context>: Sendable {
  associatedtype Context: RequestContext
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response
}

public final class Router<Context: RequestContext>: Sendable {
  public init(context: Context.Type = BasicRequestContext.self) {}
  @discardableResult
  public func add(middleware: some RouterMiddleware<Context>) -> Self { self }
  @discardableResult
  public func on(
    _ path: RouterPath, method: HTTPTypes.HTTPRequest.Method,
    use closure: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { self }
}

public struct Application<Context: RequestContext>: Sendable {
  public init(router: Router<Context>, logger: Logger? = nil) {}
  public mutating func addServices(_ services: any Service...) {}
  public func runService() async throws {}
}
