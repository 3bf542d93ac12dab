import { pathToFileURL } from "node:url"

type Environment = Readonly<Record<string, string | undefined>>

const ST = "\u001B\\"
/** Marks for jumps from prompt to prompt. */
const PROMPT_START = `\u001B]133;A${ST}`
const PROMPT_END = `\u001B]133;C${ST}`

/** Makes a text clickable (OSC 8). */
export function fileLink(path: string, text: string): string {
  return `\u001B]8;;${pathToFileURL(path).href}${ST}${text}\u001B]8;;${ST}`
}

/** Marks the lines of a prompt, so that the terminal can jump to it. */
export function promptMarked(lines: readonly string[]): string[] {
  return lines.map((line, at) => {
    return `${at === 0 ? PROMPT_START : ""}${line}${at === lines.length - 1 ? PROMPT_END : ""}`
  })
}

/** Longer texts are dropped by terminals, some in the middle. */
const MAX_COPIED_BYTES = 74_000

/** Returns the sequence that puts a text on the clipboard (OSC 52). Undefined if it is too long. */
export function clipboardSequence(text: string): string | undefined {
  const bytes = Buffer.from(text)
  return bytes.length > MAX_COPIED_BYTES ? undefined : `\u001B]52;c;${bytes.toString("base64")}\u0007`
}

/** Terminals that are known to obey OSC 8. Others show nothing wrong, but some print the address. */
export function hasLinks({
  FORCE_HYPERLINK,
  TERM_PROGRAM,
  VTE_VERSION,
  KITTY_WINDOW_ID,
  WT_SESSION,
  TERM = "",
}: Environment): boolean {
  if (FORCE_HYPERLINK !== undefined) return FORCE_HYPERLINK !== "" && FORCE_HYPERLINK !== "0"
  const isKnownProgram = ["iTerm.app", "WezTerm", "vscode", "ghostty"].includes(TERM_PROGRAM ?? "")
  return (
    isKnownProgram ||
    Number(VTE_VERSION ?? 0) >= 5000 ||
    [KITTY_WINDOW_ID, WT_SESSION].some(Boolean) ||
    /kitty|ghostty|alacritty/.test(TERM)
  )
}
