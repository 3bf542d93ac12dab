/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import xterm from "@xterm/headless"

/** A terminal in memory whose screen and scrollback can be read as text. */
export interface VirtualTerminal {
  readonly write: (text: string) => Promise<void>
  readonly resize: (columns: number, rows: number) => void
  readonly size: () => { readonly columns: number; readonly rows: number }
  /** Lines of the screen, without the empty ones at the end. */
  readonly screen: () => string[]
  /** Lines above the screen and on it, without the empty ones at the end. Wrapped lines are joined. */
  readonly scrollback: () => string[]
  /** Rows of the screen as they are shown, without the empty ones at the end. */
  readonly shownRows: () => string[]
  /** Rows above the screen. */
  readonly rowsAbove: () => string[]
  /** Lines that the terminal had to break, above the screen and on it. */
  readonly brokenLines: () => string[]
  readonly cursor: () => { readonly row: number; readonly column: number }
}

export function createVirtualTerminal(columns: number, rows: number): VirtualTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true })
  function rowsFrom(from: number) {
    const { active } = terminal.buffer
    const rows = Array.from({ length: active.length - from }, (_, at) => {
      const line = active.getLine(from + at)
      return { text: line?.translateToString(true) ?? "", isWrapped: line?.isWrapped ?? false }
    })
    return rows.slice(0, rows.findLastIndex(({ text }) => text !== "") + 1)
  }
  function lines(from: number): string[] {
    const { active } = terminal.buffer
    const found: string[] = []
    for (let at = from; at < active.length; at++) {
      const line = active.getLine(at)
      const text = line?.translateToString(true) ?? ""
      if (line?.isWrapped && found.length > 0) found.push(`${found.pop()}${text}`)
      else found.push(text)
    }
    return found.slice(0, found.findLastIndex((line) => line !== "") + 1)
  }
  return {
    write: (text) => new Promise((resolve) => terminal.write(text, resolve)),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    screen: () => lines(terminal.buffer.active.baseY),
    scrollback: () => lines(0),
    shownRows: () => rowsFrom(terminal.buffer.active.baseY).map(({ text }) => text),
    rowsAbove: () =>
      rowsFrom(0)
        .slice(0, terminal.buffer.active.baseY)
        .map(({ text }) => text),
    brokenLines: () => rowsFrom(0).flatMap(({ text, isWrapped }) => (isWrapped ? [text] : [])),
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
  }
}

/** Returns what a frame must not contain: wipes of the screen or the scrollback, and bytes outside of a synchronized update. */
export function frameProblems(frame: string): string[] {
  const outside = frame.replaceAll(/\u001B\[\?2026h[^]*?\u001B\[\?2026l/g, "")
  return [
    ...(/\u001B\[[23]J/.test(frame) ? ["wipes"] : []),
    ...(/\u001B\[\?(?:1049|47|1047)h/.test(frame) ? ["alternate screen"] : []),
    ...(outside === "" ? [] : [`outside of an update: ${JSON.stringify(outside)}`]),
  ]
}
