internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A picture of the paid times of purchases, one line each, of all products and stores.
struct Timeline {
  /// The most bars that one line has; a longer history shows its newest charges.
  private static let barLimit = 200
  private static let width = 960.0
  private static let margin = 220.0
  private static let lineHeight = 28.0

  private let lines: [(name: String, bars: [Bar])]
  private let start: Date
  private let end: Date
  private let moment: Date

  fileprivate struct Bar {
    enum Kind {
      case paid
      case refunded
      case replaced
      case grace
    }

    let kind: Kind
    let start: Date
    let end: Date
  }

  /// Creates the picture of purchases as of a moment; nil if no charge has a date.
  init?(of purchases: [HeldPurchase], at moment: Date) {
    lines = purchases.compactMap { purchase -> (name: String, bars: [Bar])? in
      guard let history = purchase.history else { return nil }
      var bars = history.transactions.prefix(Self.barLimit).compactMap { Bar($0, at: moment) }
      for renewal in history.renewals {
        guard let grace = renewal.gracePeriodExpiresDate?.readable,
          let last = history.latest.expiresDate?.readable, last < grace
        else { continue }
        bars.append(Bar(kind: .grace, start: last, end: grace))
      }
      guard !bars.isEmpty else { return nil }
      return (DeskText.product(history.latest.productID, of: purchase.vendor), bars)
    }
    let bars = lines.flatMap(\.bars)
    guard let first = bars.map(\.start).min(), let last = bars.map(\.end).max() else { return nil }
    start = first
    end = max(last, moment, first + 86_400)
    self.moment = moment
  }

  /// The picture, with a text for those who do not see it.
  var markup: Markup {
    let height = Self.lineHeight * Double(lines.count) + 40
    return div(
      .class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"),
      .label(DeskText.timeline)
    ) {
      svg(
        Attribute("viewBox", "0 0 \(Int(Self.width)) \(Int(height))"), Attribute("role", "img"),
        .label(description)
      ) {
        for (index, line) in lines.enumerated() { row(line, at: Double(index) * Self.lineHeight) }
        axis(at: height - 30)
        svgLine(
          .class("present"), .number("x1", place(moment)), .number("x2", place(moment)),
          .number("y1", 0), .number("y2", height - 30)
        ) {}
      }
    }
  }

  private var description: String {
    lines.map { line in
      let spans = line.bars.prefix(3).map {
        "\(DeskText.moment($0.start).prefix(10)) – \(DeskText.moment($0.end).prefix(10))"
      }
      return "\(line.name): \(spans.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private func row(_ line: (name: String, bars: [Bar]), at top: Double) -> Markup {
    svgGroup {
      svgText(.number("x", 0), .number("y", top + 18)) { String(line.name.prefix(34)) }
      for bar in line.bars {
        svgRectangle(
          bar.kind.style, .number("x", place(bar.start)), .number("y", top + 5),
          .number("width", max(place(bar.end) - place(bar.start) - 1, 2)), .number("height", 18)
        ) {}
      }
    }
  }

  private func axis(at top: Double) -> Markup {
    svgGroup {
      svgLine(
        .class("axis"), .number("x1", Self.margin), .number("x2", Self.width), .number("y1", top),
        .number("y2", top)
      ) {}
      for step in 0...3 {
        let date = start + end.timeIntervalSince(start) * Double(step) / 4
        svgText(.number("x", place(date)), .number("y", top + 20)) {
          String(DeskText.moment(date).prefix(10))
        }
      }
    }
  }

  private func place(_ date: Date) -> Double {
    let share = date.timeIntervalSince(start) / end.timeIntervalSince(start)
    return Self.margin + min(max(share, 0), 1) * (Self.width - Self.margin)
  }
}

extension Timeline.Bar {
  /// Creates the bar of a charge; nil for one without a date, or one that had not begun.
  fileprivate init?(_ record: PurchaseRecord, at moment: Date) {
    let date = record.purchaseDate?.readable ?? record.originalPurchaseDate?.readable
    guard let start = date, start <= moment else { return nil }
    self.start = start
    let end = record.expiresDate?.readable ?? moment
    if let cancellation = record.cancellationDate?.readable, !record.isUpgraded {
      // Google's end, hold and pause have the form of a refund.
      kind = record.vendor == .google ? .paid : .refunded
      self.end = max(start, min(end, cancellation))
    } else {
      kind = record.isUpgraded ? .replaced : .paid
      self.end = max(start, end)
    }
  }
}

extension Timeline.Bar.Kind {
  fileprivate var style: Attribute {
    switch self {
    case .paid: .class("paid")
    case .refunded: .class("refunded")
    case .replaced: .class("replaced")
    case .grace: .class("grace")
    }
  }
}
