internal import ReceiptModels

extension MoneyReport {
  /// The report as one picture in SVG: the active subscriptions, what came and went, the recurring revenue in each
  /// currency, and the cohorts.
  ///
  /// It has light and dark colours, as the reader prefers, and a description for who cannot see it. At most eight parts
  /// have a line of their own; the others are one together.
  public var svg: String {
    var panels: [ChartPanel] = [activePanel, movementPanel]
    panels += recurringPanels
    panels = panels.filter { !$0.series.isEmpty }
    let heights = panels.map { $0.height }
    let cohortHeight = cohorts.isEmpty ? 0 : 60 + 22 * cohorts.count
    let height = 56 + heights.reduce(0, +) + cohortHeight
    var root = SVGElement(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(ChartPanel.width) \(height)",
        "role": "img", "aria-labelledby": "title description",
      ])
    root.add(SVGElement("title", ["id": "title"], text: head))
    root.add(SVGElement("desc", ["id": "description"], text: pictureDescription))
    root.add(SVGElement("style", text: ChartPanel.style))
    root.add(
      SVGElement(
        "rect", ["class": "paper", "width": "\(ChartPanel.width)", "height": "\(height)"]))
    root.add(SVGElement("text", ["class": "head", "x": "16", "y": "32"], text: head))
    var top = 56
    for panel in panels {
      root.add(panel.element(at: top))
      top += panel.height
    }
    if !cohorts.isEmpty { root.add(cohortPanel(at: top)) }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.source
  }

  private var pictureDescription: String {
    var sentences: [String] = []
    if let last = months.last {
      let active = counts.filter { $0.month == last }.reduce(0) { $0 &+ $1.active }
      sentences.append("\(active) subscriptions are active at the end of \(last).")
      for line in currencyTotals(of: last) {
        sentences.append(
          "The monthly recurring revenue is \(Self.money(line.number)) \(line.currency).")
      }
    }
    return sentences.joined(separator: " ")
  }

  private func currencyTotals(of month: CalendarMonth) -> [(currency: String, number: Int)] {
    let lines = Dictionary(grouping: amounts.filter { $0.month == month }, by: \.currency)
    return lines.map { (currency: $0.key, number: $0.value.reduce(0) { $0 &+ $1.recurring }) }
      .sorted { $0.currency < $1.currency }
  }

  private func label(_ part: String) -> String {
    query.division == nil ? "all" : part.isEmpty ? "unknown" : part
  }

  /// The parts, those with the most active subscriptions first; a part has its colour in every chart.
  private var rankedParts: [String] {
    var active: [String: Int] = [:]
    for line in counts where line.month == months.last { active[line.part] = line.active }
    return Set(counts.map(\.part)).union(amounts.map(\.part))
      .sorted { (active[$1] ?? 0, $0) < (active[$0] ?? 0, $1) }
  }

  /// The series of a number of each part.
  private func series<Line>(
    _ lines: [Line], _ part: (Line) -> String, _ month: (Line) -> CalendarMonth,
    _ number: (Line) -> Int
  ) -> [ChartPanel.Series] {
    var numbers: [String: [CalendarMonth: Int]] = [:]
    for line in lines {
      numbers[part(line), default: [:]][month(line), default: 0] &+= number(line)
    }
    let (months, parts) = (months, rankedParts)
    let count = parts.count > ChartPanel.colours ? ChartPanel.colours - 1 : parts.count
    var all = parts.prefix(count).enumerated().map { colour, part in
      ChartPanel.Series(
        name: label(part), values: months.map { numbers[part]?[$0] ?? 0 }, colour: colour)
    }
    if count < parts.count {
      let others = parts.dropFirst(count)
      all.append(
        ChartPanel.Series(
          name: "\(others.count) others",
          values: months.map { month in others.reduce(0) { $0 &+ (numbers[$1]?[month] ?? 0) } },
          colour: count))
    }
    return all.filter { $0.values.contains { $0 != 0 } }
  }

  private var activePanel: ChartPanel {
    ChartPanel(
      title: "Active subscriptions at the end of the month", months: months,
      series: series(counts, \.part, \.month, \.active))
  }

  private var movementPanel: ChartPanel {
    func series(
      _ name: String, _ colour: Int, _ number: (Counts) -> Int
    ) -> ChartPanel.Series {
      ChartPanel.Series(
        name: name,
        values: months.map { month in
          counts.filter { $0.month == month }.reduce(0) { $0 + number($1) }
        }, colour: colour)
    }
    return ChartPanel(
      title: "New, returned and lapsed", months: months,
      series: [
        series("new", 0, \.new), series("returned", 2, \.returned), series("lapsed", 1, \.lapsed),
      ].filter { $0.values.contains { $0 != 0 } }, isBars: true)
  }

  private var recurringPanels: [ChartPanel] {
    Set(amounts.map(\.currency)).sorted().map { currency in
      ChartPanel(
        title: "Monthly recurring revenue, \(currency.isEmpty ? "unknown currency" : currency)",
        months: months,
        series: series(
          amounts.filter { $0.currency == currency }, \.part, \.month, \.recurring),
        isMoney: true)
    }
  }

  private func cohortPanel(at top: Int) -> SVGElement {
    var group = SVGElement("g", ["transform": "translate(0 \(top))"])
    group.add(
      SVGElement(
        "text", ["class": "title", "x": "16", "y": "20"],
        text: "Cohorts: share that is active, by months after the first paid charge"))
    let width = cohorts.map(\.active.count).max() ?? 1
    let cell = max(14, min(44, (ChartPanel.width - 140) / max(1, width)))
    for (row, cohort) in cohorts.enumerated() {
      let y = 36 + row * 22
      group.add(
        SVGElement(
          "text", ["class": "label", "x": "16", "y": "\(y + 14)"],
          text: "\(cohort.month) (\(cohort.size))"))
      for (column, active) in cohort.active.enumerated() {
        let share = cohort.size > 0 ? max(0, active) * 100 / cohort.size : 0
        let x = 120 + column * cell
        group.add(
          SVGElement(
            "rect",
            [
              "class": "cell", "x": "\(x)", "y": "\(y)", "width": "\(cell - 2)", "height": "20",
              "fill-opacity": Self.decimal(8 + min(share, 100) * 92 / 100, digits: 2),
            ]
          ).titled("\(cohort.month), +\(column): \(active) of \(cohort.size)"))
        guard cell >= 30 else { continue }
        group.add(
          SVGElement(
            "text",
            [
              "class": share > 55 ? "share strong" : "share", "x": "\(x + cell / 2 - 1)",
              "y": "\(y + 14)",
            ], text: "\(share)%"))
      }
    }
    return group
  }
}
