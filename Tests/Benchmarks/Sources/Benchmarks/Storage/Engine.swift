import CEngines
import Foundation
import SQLStorage

/// A database reached through its engine's own C interface.
final class Engine {
  private let pointer: OpaquePointer
  private let kind: DatabaseKind

  struct Failed: Error {
    let what: String
  }

  /// Opens so many connections.
  convenience init(_ database: Database, callers: Int = 1) throws {
    try self.init(database.kind, at: database.place, callers: callers)
  }

  /// Opens so many connections to a path, or to a server.
  init(_ kind: DatabaseKind, at place: String, callers: Int = 1) throws {
    let pointer =
      switch kind {
      case .sqlite: engine_sqlite(place, Int32(callers))
      case .postgres: engine_postgres(place, Int32(callers))
      case .mariadb: engine_mariadb(place, Int32(callers))
      }
    guard let pointer else { throw Failed(what: "open \(kind.name)") }
    if CommandLine.arguments.contains("--deciding") { engine_decide(pointer) }
    self.pointer = pointer
    self.kind = kind
  }

  deinit { engine_close(pointer) }

  func script(_ sql: String) throws {
    let text = kind == .mariadb ? SQLStatement("script", sql).text(.mariadb) : sql
    guard engine_script(pointer, text) == 1 else { throw Failed(what: sql) }
  }

  /// Makes transactions for a time; gives how many, and in which time.
  func run(_ work: Work, callers: Int, seconds: Double) throws -> (count: Int, nanoseconds: Double)
  {
    var elapsed: UInt64 = 0
    let count = engine_run(
      pointer, work, Int32(callers), UInt64(seconds * 1e9), &elapsed)
    guard count > 0 else { throw Failed(what: "transactions in C") }
    return (Int(count), Double(elapsed))
  }

  func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [SQLRow] {
    let texts = values.map { value in
      switch value {
      case .null: nil as UnsafeMutablePointer<CChar>?
      case .integer(let number): strdup("i\(number)")
      case .text(let text): strdup("t" + text)
      }
    }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer($0) }
    guard let output = engine_rows(pointer, sql, pointers, Int32(values.count)) else {
      throw Failed(what: sql)
    }
    defer { free(output) }
    return String(cString: output).split(separator: "\u{1E}").map { row in
      row.split(separator: "\u{1F}").map(Self.value)
    }
  }

  private static func value(_ field: Substring) -> SQLValue {
    switch field.first {
    case "i": .integer(Int64(field.dropFirst()) ?? 0)
    case "t": .text(String(field.dropFirst()))
    default: .null
    }
  }
}
