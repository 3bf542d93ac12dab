import { mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"

/** Columns of the recorded terminal. */
export const COLUMNS = 92
/** Rows of the terminal itself; the picture shows fewer, and scrolls. */
const ROWS = 40

/** A piece of a line with one style. */
export interface Run {
  readonly text: string
  /** Index into the 256 colours. Undefined for the default colour. */
  readonly color: number | undefined
  readonly isBold: boolean
  readonly isDim: boolean
}

export type Line = readonly Run[]

/**
 * Runs `pawl demo` in a terminal and returns its lines. `main` is the absolute path of the built command. Temporary paths,
 * session ids and times differ in each run, so they are replaced.
 */
export async function recordDemo(main: string): Promise<Line[]> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-picture-"))
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 1000, allowProposedApi: true })
  try {
    // The command names itself as it was called.
    const pawl = join(directory, "pawl")
    await symlink(main, pawl)
    const environment = { PATH: process.env["PATH"] ?? "", HOME: directory, TMPDIR: "/tmp", LANG: "C.UTF-8" }
    const terminal = { cols: COLUMNS, rows: ROWS, cwd: directory, env: environment, name: "xterm-256color" }
    const child = spawn(process.execPath, [pawl, "demo", "--pace", "0"], terminal)
    const written: Promise<void>[] = []
    child.onData((piece) => written.push(new Promise((resolve) => screen.write(piece, resolve))))
    const exitCode = await new Promise<number>((resolve) => child.onExit((end) => resolve(end.exitCode)))
    await Promise.all(written)
    const lines = linesOf(screen)
    if (exitCode !== 0) throw new Error(`pawl demo ended with ${exitCode}:\n${lines.map(textOf).join("\n")}`)
    return inScriptOrder(lines.map(withoutChanging), await scriptedCalls(main))
  } finally {
    screen.dispose()
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join("")
}

export function linesOf(screen: xterm.Terminal): Line[] {
  const { active } = screen.buffer
  const lines = Array.from({ length: active.length }, (_, at) => lineOf(active.getLine(at)))
  return lines.slice(0, lines.findLastIndex((line) => textOf(line).trim() !== "") + 1)
}

function lineOf(line: xterm.IBufferLine | undefined): Line {
  const runs: Run[] = []
  const length = line?.translateToString(true).length === 0 ? 0 : (line?.length ?? 0)
  for (let at = 0; at < length; at++) {
    const cell = line?.getCell(at)
    // The second cell of a wide character.
    if (!cell || cell.getWidth() === 0) continue
    const run = {
      text: cell.getChars() || " ",
      color: cell.isFgPalette() ? cell.getFgColor() : undefined,
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
    }
    const last = runs.at(-1)
    if (last && isSameStyle(last, run)) runs[runs.length - 1] = { ...last, text: last.text + run.text }
    else runs.push(run)
  }
  const last = runs.at(-1)
  return last ? [...runs.slice(0, -1), { ...last, text: last.text.trimEnd() }] : []
}

function isSameStyle(one: Run, other: Run): boolean {
  return one.color === other.color && one.isBold === other.isBold && one.isDim === other.isDim
}

const CHANGING: readonly (readonly [pattern: RegExp, fixed: string])[] = [
  [/pawl-demo-\w{6}/g, "pawl-demo-4xT9qa"],
  [/ses_[0-9A-Z]{26}/g, "ses_01KAV7Q3M9XB4T6ZC8RWYDNEHP"],
  [/(?<=\$\d+\.\d+ · )\S+$/g, "1.6s"],
  [/(?<=(?:\.js|exit \d|^) · )\d+(?:\.\d+)?(?:ms|s)$/g, "0.4s"],
]

function withoutChanging(line: Line): Line {
  return line.map((run) => {
    return { ...run, text: CHANGING.reduce((text, [pattern, fixed]) => text.replaceAll(pattern, fixed), run.text) }
  })
}

/** Returns the tool calls of the demo's script, each as the words that its line must contain. */
async function scriptedCalls(main: string): Promise<readonly (readonly string[])[]> {
  const script = await readFile(join(main, "../../demo/script.jsonl"), "utf8")
  const items = script.split("\n").flatMap((line) => {
    if (!line.startsWith('{"reply"')) return []
    return (JSON.parse(line) as { readonly reply: readonly ScriptItem[] }).reply
  })
  return items.flatMap(({ tool, input = {} }) => {
    const { filePath, pattern, command } = input
    return tool === undefined ? [] : [[tool, filePath ?? pattern ?? command ?? ""]]
  })
}

interface ScriptItem {
  readonly tool?: string
  readonly input?: { readonly filePath?: string; readonly pattern?: string; readonly command?: string }
}

/** Calls that run at the same time are printed as they end. Orders neighbours as the model asked for them. */
function inScriptOrder(lines: readonly Line[], calls: readonly (readonly string[])[]): Line[] {
  const ordered: Line[] = []
  const left = [...calls]
  for (let at = 0; at < lines.length;) {
    const blocks: Line[][] = []
    while (isHead(lines[at])) {
      const from = at++
      while (at < lines.length && /^\s+\S/.test(textOf(lines[at] ?? []))) at++
      blocks.push(lines.slice(from, at))
    }
    if (blocks.length === 0) ordered.push(lines[at++] ?? [])
    else ordered.push(...sorted(blocks, left).flat())
  }
  return ordered
}

function isHead(line: Line | undefined): boolean {
  return line !== undefined && /^[●✗] /.test(textOf(line))
}

/** Removes the calls of the blocks from `left`. */
function sorted(blocks: readonly Line[][], left: (readonly string[])[]): Line[][] {
  const placed = blocks.map((block) => {
    const head = textOf(block[0] ?? [])
    const place = left.findIndex((words) => words.every((word) => head.includes(word)))
    if (place < 0) throw new Error(`The script of the demo has no call for the line "${head}".`)
    left[place] = ["used"]
    return { block, place }
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ block }) => block)
}
