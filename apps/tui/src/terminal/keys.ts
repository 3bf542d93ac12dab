/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import {
  decodeKittyPrintable,
  isKeyRelease,
  parseKey,
  setKittyProtocolActive,
} from "@earendil-works/pi-tui/dist/keys.js"
import { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js"

/** A key, a paste or an answer of the terminal. */
export interface KeyPress {
  /** Such as `enter`, `ctrl+c`, `alt+up`, `a`, `wheelUp`. `paste` for pasted text. Empty for a sequence without a name. */
  readonly name: string
  /** Text that the key types. Missing for keys that type nothing. */
  readonly text?: string
  /** Bytes of the terminal, for parts that parse them themselves. */
  readonly data: string
}

export interface KeyReader {
  /** Takes what the terminal sent, in whatever pieces. */
  push(data: string | Buffer): void
  close(): void
}

export interface KeyReaderOptions {
  readonly onKey: (key: KeyPress) => void
  /** Called with the answer to a query of the terminal, such as `ESC[?1u`. */
  readonly onReport: (report: string) => void
}

const REPORT = /^\u001B(?:\[\?[\d;]*[cu]|\[[\d;]+R|\[[IO]$|\]1[01];[^]*|P[^]*)/

/** A mouse report (SGR 1006): button, column, row. */
const MOUSE = /^\u001B\[<(\d+);\d+;\d+[Mm]$/
/** Names of the wheel's buttons, also with Shift, Alt or Ctrl. */
const WHEEL: ReadonlyMap<string, string> = new Map(
  [0, 4, 8, 16].flatMap((modifier): [string, string][] => [
    [String(64 + modifier), "wheelUp"],
    [String(65 + modifier), "wheelDown"],
  ]),
)

export function createKeyReader({ onKey, onReport }: KeyReaderOptions): KeyReader {
  const buffer = new StdinBuffer()
  buffer.on("data", (data) => {
    if (REPORT.test(data)) return onReport(data)
    const mouse = MOUSE.exec(data)
    if (mouse) {
      const name = WHEEL.get(mouse[1] ?? "")
      return name === undefined ? undefined : onKey({ name, data })
    }
    if (isKeyRelease(data)) return
    // Escape pressed twice, quickly.
    if (data === "\u001B\u001B") for (const escape of data) onKey(toKeyPress(escape))
    else onKey(toKeyPress(data))
  })
  buffer.on("paste", (text) => onKey({ name: "paste", text, data: `\u001B[200~${text}\u001B[201~` }))
  return {
    push: (data) => buffer.process(data),
    close: () => buffer.destroy(),
  }
}

export function toKeyPress(data: string): KeyPress {
  const printable = decodeKittyPrintable(data) ?? (/^[^\u0000-\u001F\u007F]+$/.test(data) ? data : undefined)
  const name = (parseKey(data) ?? printable ?? "").replace(/^esc$/, "escape").replace(/^return$/, "enter")
  return { name, data, ...(printable === undefined ? {} : { text: printable }) }
}

/** Selects how the parser reads ambiguous keys. Call with `true` after the terminal has said that it knows the protocol. */
export function useKittyKeys(isActive: boolean): void {
  setKittyProtocolActive(isActive)
}
