import Foundation

/// A program that decides about proposals from standard input, one JSON object a line, and prints one
/// decision a line.
package struct DecisionProgram {
  private let name: String
  private let usage: String
  private let table: () -> String
  private let decide: ([UInt8]) throws(LineFailure) -> [UInt8]

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - usage: The text for `--help`.
  ///   - table: The text for `--table`.
  ///   - decide: The decision about a line, as one line of JSON.
  package init(
    name: String, usage: String, table: @escaping () -> String,
    decide: @escaping ([UInt8]) throws(LineFailure) -> [UInt8]
  ) {
    self.name = name
    self.usage = usage
    self.table = table
    self.decide = decide
  }

  /// Does what the command line says, and ends the process with the exit status.
  package func run() -> Never {
    do {
      switch Array(CommandLine.arguments.dropFirst()) {
      case []: exit(try decideLines() ? 0 : 1)
      case ["--table"]: write(Array(table().utf8), to: .standardOutput)
      case ["--help"], ["-h"]: write(Array(usage.utf8), to: .standardOutput)
      default:
        write(
          Array("\(name): these arguments are not understood\n\n\(usage)".utf8),
          to: .standardError)
        exit(2)
      }
    } catch {
      write(Array("\(name): standard input cannot be read\n".utf8), to: .standardError)
      exit(2)
    }
    exit(0)
  }

  /// Whether every line was a proposal.
  private func decideLines() throws -> Bool {
    var allDecided = true
    var lines = LineReader(try InputFile("-"))
    while let line = try lines.next() {
      var output: [UInt8]
      do throws(LineFailure) {
        guard line.isWhole else {
          throw LineFailure(error: "longer than \(LineReader.maximumLength) bytes")
        }
        output = try decide(line.bytes)
      } catch {
        allDecided = false
        output = error.line(number: line.number)
      }
      output.append(UInt8(ascii: "\n"))
      write(output, to: .standardOutput)
    }
    return allDecided
  }

  private func write(_ bytes: [UInt8], to file: FileHandle) {
    file.write(Data(bytes))
  }
}
