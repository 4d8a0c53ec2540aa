/// A picture of numbers as bars beside each other, such as those of the hours of a day.
struct BarChart {
  private static let width = 960.0
  private static let height = 150.0
  private static let foot = 30.0

  let title: String
  /// The names and numbers of the bars; a number below 0 is drawn as 0.
  let bars: [(name: String, number: Int)]

  /// The picture, with its numbers as a text for those who do not see it.
  var markup: Markup {
    let highest = max(1, bars.map(\.number).max() ?? 1)
    let step = Self.width / Double(max(1, bars.count))
    return div(
      .class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(title)
    ) {
      svg(
        Attribute("viewBox", "0 0 \(Int(Self.width)) \(Int(Self.height + Self.foot))"),
        Attribute("role", "img"), .label(description)
      ) {
        for (index, bar) in bars.enumerated() {
          let left = Double(index) * step
          let length = Double(max(0, bar.number)) / Double(highest) * (Self.height - 20)
          svgRectangle(
            .class("bar"), .number("x", left + 2), .number("y", Self.height - length),
            .number("width", max(2, step - 4)), .number("height", length)
          ) {}
          if bar.number > 0 {
            svgText(
              .class("middle"), .number("x", left + step / 2),
              .number("y", Self.height - length - 4)
            ) { String(bar.number) }
          }
          svgText(
            .class("middle"), .number("x", left + step / 2), .number("y", Self.height + 18)
          ) { bar.name }
        }
        svgLine(
          .class("axis"), .number("x1", 0), .number("x2", Self.width), .number("y1", Self.height),
          .number("y2", Self.height)
        ) {}
      }
    }
  }

  private var description: String {
    bars.map { "\($0.name): \($0.number)" }.joined(separator: ", ")
  }
}
