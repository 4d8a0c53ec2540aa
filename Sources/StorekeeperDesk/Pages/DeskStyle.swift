/// The style sheet of the desk.
///
/// Colours have a contrast of 4.5 to 1 at least, in light and dark (WCAG 2.2, section 1.4.3).
enum DeskStyle {
  static let source = """
    :root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --card: #f4f6f8; --line: #c3cad2;
      --link: #0a4fa3; --good: #0b6b34; --bad: #a3161d; --notice: #7a4a00; --muted: #515b66; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ecf0; --paper: #14181d; --card: #1e242b;
      --line: #47515c; --link: #8fc1ff; --good: #6fd895; --bad: #ff9a9a; --notice: #f2c36b; --muted: #a9b4c0; } }
    * { box-sizing: border-box; }
    body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
    a { color: var(--link); }
    a:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible, summary:focus-visible,
    .scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 0; background: var(--paper); padding: .5rem; }
    header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .5rem 1rem;
      border-bottom: 1px solid var(--line); background: var(--card); }
    nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
    header form { display: flex; gap: .5rem; align-items: center; flex: 1 1 16rem; margin: 0; }
    header .session { flex: 0 1 auto; }
    main { max-width: 70rem; margin: 0 auto; padding: 1rem; }
    h1 { font-size: 1.5rem; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
    h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem; }
    h3 { font-size: 1rem; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
    input, textarea, select, button { font: inherit; color: inherit; background: var(--paper);
      border: 1px solid var(--muted); border-radius: .3rem; padding: .35rem .6rem; max-width: 100%; }
    input[type=search], input[type=password], textarea { width: 100%; }
    button { background: var(--card); cursor: pointer; }
    .findings { list-style: none; margin: 0; padding: 0; }
    .findings > li { border-left: 5px solid var(--line); padding: .35rem .75rem; margin: .5rem 0; background: var(--card); }
    .findings .good { border-color: var(--good); }
    .findings .bad { border-color: var(--bad); }
    .findings .notice { border-color: var(--notice); }
    .findings p { margin: 0; overflow-wrap: anywhere; }
    .meta { color: var(--muted); font-size: .9rem; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
    td { overflow-wrap: anywhere; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
    dd { margin: 0; overflow-wrap: anywhere; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: .5rem 0; padding: 0; list-style: none; }
    .alert { border: 2px solid var(--bad); padding: .5rem .75rem; }
    .done { border: 2px solid var(--good); padding: .5rem .75rem; }
    svg { display: block; width: 100%; height: auto; min-width: 36rem; }
    svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
    svg .bar { fill: var(--link); }
    svg .middle { text-anchor: middle; }
    .trouble td:first-child { color: var(--bad); font-weight: 600; }
    svg .axis { stroke: var(--line); }
    svg .paid { fill: var(--good); }
    svg .refunded { fill: var(--bad); }
    svg .replaced { fill: var(--muted); }
    svg .grace { fill: var(--notice); }
    svg .present { stroke: var(--link); stroke-width: 2; }
    @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { font-weight: 600; } main { padding: .75rem; } }
    @media (prefers-reduced-motion: no-preference) { .skip { transition: none; } }
    """
}
