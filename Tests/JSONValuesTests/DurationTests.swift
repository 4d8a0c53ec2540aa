import JSONValues
import Testing

@Suite("Durations as numbers")
struct DurationTests {
  @Test(
    "are seconds, exact where they are whole, and bounded",
    arguments: [
      (Duration.zero, 0.0), (.seconds(1_209_600), 1_209_600), (.milliseconds(1500), 1.5),
      (.milliseconds(-1500), -1.5), (.seconds(Int64.max), 0x1p63), (.seconds(1e20), 0x1p63),
      (.seconds(-1e20), -0x1p63),
    ])
  func seconds(time: Duration, expected: Double) {
    #expect(time.timeInterval == expected)
  }

  @Test("are no other seconds than those they were made of")
  func wholeSeconds() {
    let seconds = stride(from: 1, to: 10_000_000, by: 61)
    #expect(seconds.allSatisfy { Duration.seconds($0).timeInterval == Double($0) })
  }

  @Test(
    "are whole seconds, rounded up, and bounded",
    arguments: [
      (Duration.zero, 0), (.nanoseconds(1), 1), (.seconds(5), 5), (.milliseconds(5001), 6),
      (.milliseconds(-1500), -1), (.seconds(1e20), Int.max), (.seconds(-1e20), Int.min),
    ])
  func roundedSeconds(time: Duration, expected: Int) {
    #expect(time.secondsRoundedUp == expected)
  }

  @Test(
    "are whole milliseconds, rounded up, and bounded",
    arguments: [
      (Duration.zero, Int32(0)), (.nanoseconds(1), 1), (.milliseconds(250), 250),
      (.microseconds(1500), 2), (.seconds(5), 5000), (.seconds(-1), 0), (.seconds(Int64.max), .max),
      (.seconds(1e20), .max), (.seconds(-1e20), 0),
    ])
  func milliseconds(time: Duration, expected: Int32) {
    #expect(time.wholeMilliseconds == expected)
  }
}
