import HTTPMessages
import Storekeeper
import StorekeeperFixtures
import Testing

@Suite("Spans and the field traceparent")
struct SpanTests {
  private static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test("the example of the recommendation is read and written")
  func example() throws {
    let span = try #require(TelemetrySpan(traceparent: Self.example))
    #expect(span.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
    #expect(span.id == 0x00f0_67aa_0ba9_02b7)
    #expect(span.parentID == nil)
    #expect(span.isSampled)
    #expect(span.traceparent == Self.example)
  }

  @Test("a later version may have more at its end, and other flags")
  func later() throws {
    let span = try #require(
      TelemetrySpan(
        traceparent: "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-08-what-will-come"))
    #expect(!span.isSampled)
  }

  @Test(
    "a field that is not valid names no trace",
    arguments: [
      "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
      // Version 255 is forbidden; version 0 has no more parts.
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
      "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
      "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
  func invalid(field: String) { #expect(TelemetrySpan(traceparent: field) == nil) }

  @Test("work is part of the present task's, or else begins a trace that the port decides about")
  func parents() async throws {
    let kept = TelemetrySpan(for: TelemetryDiary(keepsTraces: true))
    #expect(kept.parentID == nil)
    #expect(kept.isSampled)
    #expect(!TelemetrySpan(for: TelemetryDiary()).isSampled)
    let child = TelemetrySpan.$current.withValue(kept) { TelemetrySpan(for: TelemetryDiary()) }
    #expect(child.traceID == kept.traceID)
    #expect(child.parentID == kept.id)
    #expect(child.id != kept.id)
    #expect(child.isSampled)
  }

  @Test("all work shares a span where identifiers mean nothing, but for that in the host's trace")
  func figures() async throws {
    let figures = TelemetryDiary(isForFigures: true)
    let span = TelemetrySpan(for: figures)
    #expect(TelemetrySpan(for: TelemetryGroup([figures])) == span)
    #expect(!span.isSampled && span.carriedTraceparent == nil)
    await span.including { #expect(TelemetrySpan.current == nil) }
    let both = TelemetryGroup([figures, TelemetryDiary()])
    #expect(TelemetrySpan(for: both) != TelemetrySpan(for: both))
    let host = TelemetrySpan(traceID: 7, id: 8, isSampled: true)
    await host.including {
      let part = TelemetrySpan(for: figures)
      #expect(part.parentID == 8 && part.isSampled)
      await part.including { #expect(TelemetrySpan.current == part) }
    }
  }
}
