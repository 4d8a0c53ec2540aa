internal import ReceiptModels

/// A chart of numbers by month: lines, or bars beside each other.
struct ChartPanel {
  /// A line, or the bars of one colour.
  struct Series {
    let name: String
    let values: [Int]
    let colour: Int
  }

  let title: String
  let months: [CalendarMonth]
  let series: [Series]
  var isBars = false
  /// Whether the numbers are amounts in thousandths.
  var isMoney = false

  static let width = 720
  /// The number of colours, which no two series of a chart share.
  static let colours = 8
  private static let (left, right, plotTop, plotHeight) = (84, 16, 34, 130)

  /// The height with the legend below.
  var height: Int { Self.plotTop + Self.plotHeight + 40 + 18 * ((series.count + 3) / 4) + 14 }

  // Blue, orange, green, violet, red, turquoise, brown and grey, lighter on dark paper; each line also has its dashes.
  static let style = """
    svg{font:12px system-ui,sans-serif}.paper{fill:#fff}.head{font-size:17px;font-weight:600}
    text{fill:#1c1e21}.title{font-weight:600}.axis,.label{fill:#5a6068}.axis{font-size:11px}
    .grid{stroke:#e1e4e8;stroke-width:1}.line{fill:none;stroke-width:2}.axis.end{text-anchor:end}
    .axis.middle,.share{text-anchor:middle}.share{font-size:11px}.share.strong{fill:#fff}
    .cell{fill:#1f6feb}
    .c0{--c:#1f6feb}.c1{--c:#bc4c00}.c2{--c:#1a7f37}.c3{--c:#8250df}.c4{--c:#cf222e}
    .c5{--c:#1b7c83}.c6{--c:#7d4e00}.c7{--c:#6e7781}
    .line{stroke:var(--c)}.mark{fill:var(--c)}
    @media (prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}
    .axis,.label{fill:#9aa4af}.grid{stroke:#30363d}.cell{fill:#4493f8}.share.strong{fill:#0d1117}
    .c0{--c:#4493f8}.c1{--c:#f0883e}.c2{--c:#3fb950}.c3{--c:#ab7df8}.c4{--c:#f85149}
    .c5{--c:#39c5cf}.c6{--c:#d4a72c}.c7{--c:#9aa4af}}
    """

  private static let dashes = ["", "6 3", "2 3", "8 3 2 3", "4 2", "1 3", "10 4", "3 6"]

  func element(at top: Int) -> SVGElement {
    var group = SVGElement("g", ["transform": "translate(0 \(top))"])
    group.add(SVGElement("text", ["class": "title", "x": "16", "y": "20"], text: title))
    let scale = Scale(series.flatMap(\.values))
    for step in scale.steps {
      let y = y(step, scale)
      group.add(
        SVGElement(
          "line",
          [
            "class": "grid", "x1": "\(Self.left)", "x2": "\(Self.width - Self.right)", "y1": "\(y)",
            "y2": "\(y)",
          ]))
      group.add(
        SVGElement(
          "text", ["class": "axis end", "x": "\(Self.left - 8)", "y": "\(y + 4)"],
          text: text(step)))
    }
    // No more labels than have room.
    let stride = max(1, (months.count + 9) / 10)
    for (index, month) in months.enumerated() where index.isMultiple(of: stride) {
      group.add(
        SVGElement(
          "text",
          [
            "class": "axis middle", "x": "\(x(index))",
            "y": "\(Self.plotTop + Self.plotHeight + 18)",
          ], text: month.description))
    }
    for (number, series) in series.enumerated() {
      group.add(isBars ? bars(series, number, scale) : line(series, scale))
    }
    for (number, series) in series.enumerated() { group.add(legend(series, number)) }
    return group
  }

  private func text(_ number: Int) -> String {
    isMoney ? MoneyReport.money(number) : String(number)
  }

  private var slot: Int { (Self.width - Self.left - Self.right) / max(1, months.count) }

  /// The middle of a month.
  private func x(_ index: Int) -> Int { Self.left + slot * index + slot / 2 }

  private func y(_ number: Int, _ scale: Scale) -> Int {
    Self.plotTop + Self.plotHeight - scale.height(of: number, in: Self.plotHeight)
  }

  private func line(_ series: Series, _ scale: Scale) -> SVGElement {
    var group = SVGElement("g", ["class": "c\(series.colour % Self.colours)"])
    let points = series.values.enumerated().map { "\(x($0.offset)),\(y($0.element, scale))" }
    group.add(
      SVGElement(
        "polyline",
        [
          "class": "line", "points": points.joined(separator: " "),
          "stroke-dasharray": Self.dashes[series.colour % Self.dashes.count],
        ]))
    for (index, value) in series.values.enumerated() {
      group.add(
        SVGElement(
          "circle", ["class": "mark", "cx": "\(x(index))", "cy": "\(y(value, scale))", "r": "3"]
        ).titled("\(series.name), \(months[index]): \(text(value))"))
    }
    return group
  }

  private func bars(_ series: Series, _ number: Int, _ scale: Scale) -> SVGElement {
    var group = SVGElement("g", ["class": "c\(series.colour % Self.colours)"])
    let count = max(1, self.series.count)
    let width = max(2, min(18, (slot - 6) / count))
    for (index, value) in series.values.enumerated() where value != 0 {
      let x = x(index) - width * count / 2 + number * width
      let (top, base) = (y(max(value, 0), scale), y(min(value, 0), scale))
      group.add(
        SVGElement(
          "rect",
          [
            "class": "mark", "x": "\(x)", "y": "\(top)", "width": "\(max(1, width - 1))",
            "height": "\(max(1, base - top))",
          ]
        ).titled("\(series.name), \(months[index]): \(text(value))"))
    }
    return group
  }

  private func legend(_ series: Series, _ number: Int) -> SVGElement {
    let x = Self.left + (number % 4) * 158
    let y = Self.plotTop + Self.plotHeight + 40 + (number / 4) * 18
    var group = SVGElement("g", ["class": "c\(series.colour % Self.colours)"])
    group.add(
      SVGElement(
        "rect",
        ["class": "mark", "x": "\(x)", "y": "\(y - 8)", "width": "10", "height": "10"]))
    let name = series.name.count > 20 ? series.name.prefix(19) + "…" : series.name[...]
    group.add(
      SVGElement("text", ["class": "label", "x": "\(x + 16)", "y": "\(y + 1)"], text: String(name))
        .titled(series.name))
    return group
  }

  /// The numbers from the bottom of a chart to its top, in round steps.
  struct Scale {
    let steps: [Int]

    init(_ values: [Int]) {
      let (low, high) = (min(0, values.min() ?? 0), max(1, values.max() ?? 1))
      let span = high.subtractingReportingOverflow(low)
      let step = Self.round(span.overflow ? Int.max / 4 : span.partialValue / 4)
      let first = low / step - (low % step < 0 ? 1 : 0)
      let last = high / step + (high % step > 0 ? 1 : 0)
      steps = (first...last).map { $0.multipliedReportingOverflow(by: step) }
        .filter { !$0.overflow }.map(\.partialValue)
    }

    /// Returns the least number of one digit 1, 2 or 5 and noughts that is not smaller, at least 1.
    private static func round(_ number: Int) -> Int {
      var unit = 1
      while unit <= Int.max / 10, unit * 10 <= number { unit *= 10 }
      for factor in [1, 2, 5] where unit <= Int.max / factor && number <= unit * factor {
        return unit * factor
      }
      return unit <= Int.max / 10 ? unit * 10 : Int.max / 4
    }

    func height(of number: Int, in height: Int) -> Int {
      guard let low = steps.first, let high = steps.last, low < high else { return 0 }
      // Only a picture: its points are whole.
      return Int((Double(number) - Double(low)) / (Double(high) - Double(low)) * Double(height))
    }
  }
}
