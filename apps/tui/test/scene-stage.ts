/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect } from "vitest"
import type { Source } from "../src/source/source.ts"
import { ENTER, type PlayingApp, type PlayingEngine, playingApp, playingSource, type Script } from "./playing-app.ts"

/** Columns and rows of the terminals that show each scene. */
export const SIZES = [
  [80, 24],
  [120, 40],
  [40, 15],
] as const

type PlayingOptions = NonNullable<Parameters<typeof playingApp>[4]>

/** What a user does, and the frame that is shown at its end. */
export interface Scene {
  /** Begins the names of its golden files. */
  readonly name: string
  readonly script: Script
  readonly play: (stage: Stage) => Promise<void>
  /** Files of the project, by name. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** The user's own configuration. */
  readonly settings?: object
  readonly options?: PlayingOptions
  /** Set if a terminal's keys change what the others would show: each terminal then has its own engine. */
  readonly isApart?: boolean
  /** Set if the terminal gets other sizes, and may break lines. */
  readonly isResized?: boolean
  /** Set if the terminal believes in other widths of characters, and breaks lines. */
  readonly hasOddWidths?: boolean
  /** Set if the scene decides the numbers of tokens. Otherwise they depend on the texts that the engine sends. */
  readonly hasOwnFigures?: boolean
  /** Sizes that are shown. Default: all three. */
  readonly sizes?: readonly (readonly [columns: number, rows: number])[]
  /** What the last row has. Default: the agent. */
  readonly lastRow?: RegExp
}

/** Terminals that show the same session. */
export interface Stage {
  readonly uis: readonly PlayingApp[]
  /** The terminal whose user works with the engine. The others show it. */
  readonly first: PlayingApp
  readonly directory: string
  /** Types in each terminal. */
  type(text: string): void
  /** Presses a key in each terminal. */
  press(data: string): void
  /** Sends a prompt, from the first terminal. */
  send(text: string): void
  /** Resolves when each terminal shows the text. */
  shows(text: string): Promise<void>
  idle(): Promise<void>
  /** Lets the users read a question. */
  read(): void
}

interface Shown {
  readonly ui: PlayingApp
  readonly size: readonly [columns: number, rows: number]
  readonly frames: Frames
}

/** What the frames of a terminal have shown. */
interface Frames {
  isCaretShown: boolean
  /** Lines that were cut at the edge of the terminal without a sign. */
  readonly cut: Set<string>
}

/**
 * Plays a scene at each size, compares the frames with the golden files, and checks what holds for all frames. Returns the
 * number of frames.
 */
export async function playScene(scene: Scene): Promise<number> {
  const { sizes = SIZES, isApart = false } = scene
  const casts = isApart ? sizes.map((size) => [size]) : [sizes]
  await Promise.all(
    casts.map(async (cast) => {
      const { stage, shown } = await opened(scene, cast)
      await scene.play(stage)
      for (const each of shown) await checkFrame(scene, each)
    }),
  )
  return sizes.length
}

async function opened(
  { script, files = {}, settings, options }: Scene,
  sizes: readonly (readonly [columns: number, rows: number])[],
): Promise<{ readonly stage: Stage; readonly shown: readonly Shown[] }> {
  const { source, ...engine } = await playingSource(script, 0, settings)
  for (const [name, content] of Object.entries(files)) await writeFile(join(engine.project, name), content)
  const session = source.newSession()
  let isTaken = false
  // The first session is the same one for all.
  const newSession = () => {
    if (sizes.length === 1 && isTaken) return source.newSession()
    isTaken = true
    return session
  }
  const shared = { ...engine, source: { ...withFixedPaths(source, engine), newSession } }
  const shown = await Promise.all(
    sizes.map(async (size): Promise<Shown> => {
      const frames: Frames = { isCaretShown: false, cut: new Set() }
      const onFrame = (frame: string) => readFrame(frame, frames)
      const ui = await playingApp(script, ...size, 0, { ...options, onFrame, engine: shared })
      return { ui, size, frames }
    }),
  )
  return { shown, stage: stageOf(shown.map(({ ui }) => ui)) }
}

/** Replaces the temporary directories in what is shown, because their names have other lengths elsewhere. */
function withFixedPaths(source: Source, { project, home }: Pick<PlayingEngine, "project" | "home">): Source {
  function atHome<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replaceAll(home, "/home/user")) as T
  }
  function fixed<T>(value: T): T {
    return atHome(JSON.parse(JSON.stringify(value).replaceAll(project, "/home/user/app")) as T)
  }
  return {
    ...source,
    subscribe: (listener) =>
      source.subscribe((event) => listener(event.type === "permission.asked" ? fixed(event) : event)),
    details: async (question) => fixed(await source.details(question)),
    noteFiles: async () => atHome(await source.noteFiles()),
  }
}

function stageOf(uis: readonly PlayingApp[]): Stage {
  const [first] = uis
  if (!first) throw new Error("A stage needs a terminal.")
  const each = (run: (ui: PlayingApp) => void) => uis.forEach((ui) => run(ui))
  return {
    ...{ uis, first, directory: first.directory },
    type: (text) => each((ui) => ui.type(text)),
    press: (data) => each((ui) => ui.press(data)),
    read: () => each((ui) => ui.read()),
    send(text) {
      first.type(text)
      first.press(ENTER)
    },
    async shows(text) {
      await Promise.all(uis.map((ui) => ui.shows(text)))
    },
    async idle() {
      await Promise.all(uis.map((ui) => ui.idle()))
    },
  }
}

/** The theme has no colours: they are reset only where a line was cut, and `…` says so. */
const CUT_LINE = /([^\r\n]*[^\r\n…])\u001B\[0m(?=\r|\n|\u001B|$)/g

function readFrame(frame: string, frames: Frames): void {
  frames.isCaretShown = frame.lastIndexOf("\u001B[?25h") > frame.lastIndexOf("\u001B[?25l")
  for (const [, line = ""] of frame.matchAll(CUT_LINE)) frames.cut.add(line)
}

async function checkFrame(scene: Scene, shown: Shown): Promise<void> {
  const { ui, size, frames } = shown
  const [columns, rows] = size
  const path = join(import.meta.dirname, "golden", `${scene.name}-${columns}x${rows}.txt`)
  const golden = await readFile(path, "utf8").catch(() => undefined)

  await expect(await settledFrame(shown, scene, golden)).toMatchFileSnapshot(path)

  const screen = ui.terminal.shownRows()
  expect(screen.at(-1)).toMatch(scene.lastRow ?? /\bbuild\b/)
  expect(screen.length).toBeLessThanOrEqual(rows)
  if (!scene.isResized) expect([...frames.cut]).toEqual([])
  if (!scene.isResized && !scene.hasOddWidths) expect(ui.terminal.brokenLines()).toEqual([])
  const caret = ui.terminal.cursor()
  if (frames.isCaretShown) expect(caret.row).toBeLessThan(screen.length - 1)
  expect(caret.column).toBeLessThan(columns)
}

/** Milliseconds in which a frame that is not the golden one may still become it. */
const MAX_SETTLE_MS = 3000
/** Frames without a change, after which a frame without a golden file is the last one. */
const STILL_FRAMES = 20

async function settledFrame(
  shown: Shown,
  { hasOwnFigures = false }: Scene,
  golden: string | undefined,
): Promise<string> {
  const deadline = performance.now() + MAX_SETTLE_MS
  let before = ""
  for (let still = 0; ;) {
    await shown.ui.drawn()
    const text = frameText(shown, hasOwnFigures)
    still = text === before ? still + 1 : 0
    const isLast = still >= STILL_FRAMES && (golden === undefined || performance.now() > deadline)
    if (text === golden || isLast) return text
    before = text
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Renders the rows above the screen and on it, and the place of the caret. It does not say where the screen begins: a turn
 * whose frames were drawn at other moments may have moved a row more above it.
 */
function frameText({ ui, frames }: Shown, hasOwnFigures: boolean): string {
  const { terminal } = ui
  const { row, column } = terminal.cursor()
  const rows = terminal.shownRows()
  const before = (rows[row] ?? "").slice(0, column)
  const caret = frames.isCaretShown
    ? `row ${rows.length - row} from below, column ${column + 1}, behind ${JSON.stringify(before)}`
    : "hidden"
  const lines = [...terminal.rowsAbove(), ...rows, `──── caret: ${caret}`]
  const text = masked(lines.join("\n"))
  return `${hasOwnFigures ? text : text.replaceAll(FIGURE, "0.0k")}\n`
}

/** A number of tokens. */
const FIGURE = /\b\d+\.\dk\b/g

/** What differs from run to run. */
const MASKS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠋"],
  [/ for \d+\.\ds\b/g, " for 0.0s"],
  [/ · \d+\.\ds$/gm, ""],
  [/next try in \d+s/g, "next try in 59s"],
  [/runs · \d+s/g, "runs · 0s"],
  [/from \d[^─]*(?= ──)/g, "from (time)"],
  [/\bses_\w+/g, "ses_0"],
  [/\bjob_[0-9a-f]{6}\b/g, "job_000000"],
]

function masked(text: string): string {
  return MASKS.reduce((all, [pattern, shown]) => all.replaceAll(pattern, shown), text)
}
