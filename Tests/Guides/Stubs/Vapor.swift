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

public protocol Authenticatable: Sendable {}

public struct Abort: Error {
  public init(_ status: HTTPResponseStatus) {}
}

public enum PathComponent: Sendable, ExpressibleByStringLiteral {
  case constant(String)
  case parameter(String)
  case anything
  case catchall
  public init(stringLiteral value: String) { self = .constant(value) }
}

public enum HTTPBodyStreamStrategy: Sendable {
  case stream
  case collect(maxSize: Int? = nil)
}

public protocol RoutesBuilder {}
extension RoutesBuilder {
  @discardableResult
  public func on(
    _ method: HTTPMethod, _ path: [PathComponent], body: HTTPBodyStreamStrategy = .collect(),
    use closure: @Sendable @escaping (Request) async throws -> Response
  ) -> Route { Route() }
}
public final class Route {}

public struct Environment: Sendable {
  public static func detect() throws -> Environment { Environment() }
  public static func get(_ key: String) -> String? { nil }
}

extension LoggingSystem {
  public static func bootstrap(from environment: inout Environment) throws {}
}

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
  public struct Authentication: Sendable {
    public func get<A: Authenticatable>(_ type: A.Type = A.self) -> A? { nil }
  }
  public let id = ""
  public var auth: Authentication { Authentication() }
  public var eventLoop: any EventLoop { fatalError() }
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

public final class Application: Sendable, RoutesBuilder {
  public struct Lifecycle: Sendable {
    public func use(_ handler: any LifecycleHandler) {}
  }
  public struct HTTP: Sendable {
    public struct Server: Sendable {
      public struct Configuration: Sendable {
        public enum RequestDecompressionConfiguration: Sendable { case disabled }
        public var requestDecompression = RequestDecompressionConfiguration.disabled
      }
      public var configuration: Configuration {
        get { Configuration() }
        nonmutating set {}
      }
    }
    public var server: Server { Server() }
  }
  public var http: HTTP { HTTP() }
  public static func make(_ environment: Environment) async throws -> Application { Application() }
  public func execute() async throws {}
  public func asyncShutdown() async throws {}
  public let middleware = Middlewares()
  public let lifecycle = Lifecycle()
  public let logger = Logger(label: "")
}

public protocol LifecycleHandler: Sendable {
  func didBootAsync(_ application: Application) async throws
  func shutdownAsync(_ application: Application) async
}
