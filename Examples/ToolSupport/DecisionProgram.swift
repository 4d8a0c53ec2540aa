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
      case ["--table"]: try write(Array(table().utf8))
      case ["--help"], ["-h"]: try write(Array(usage.utf8))
      default: fail("these arguments are not understood\n\n\(usage)")
      }
    } catch is OutputFailure {
      fail("standard output cannot be written\n")
    } catch {
      fail("standard input cannot be read\n")
    }
    exit(0)
  }

  /// Ends the process after an error that concerns no single line.
  private func fail(_ text: String) -> Never {
    // Nobody can be told where this fails.
    try? FileHandle.standardError.write(contentsOf: Data("\(name): \(text)".utf8))
    exit(2)
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
      try write(output)
    }
    return allDecided
  }

  private func write(_ bytes: [UInt8]) throws(OutputFailure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    } catch {
      throw OutputFailure()
    }
  }

  /// A failure to write to standard output.
  private struct OutputFailure: Error {}
}
