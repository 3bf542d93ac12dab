import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { openRuntime, processHost } from "@pawl/runtime"
import { createTheme } from "@pawl/terminal-text/theme"
import { expect, onTestFinished } from "vitest"
import { type App, type AppOptions, createApp } from "../src/app.ts"
import { commandList } from "../src/commands/command-list.ts"
import { createLateSource } from "../src/source/late-source.ts"
import type { Source } from "../src/source/source.ts"
import { memoryHistory } from "../src/history/prompt-history.ts"
import { memoryModelChoices } from "../src/models/model-choices.ts"
import { createRuntimeSource } from "../src/source/runtime-source.ts"
import { toKeyPress } from "../src/terminal/keys.ts"
import { createMarkdown } from "../src/terminal/markdown.ts"
import { createVirtualTerminal, frameProblems, type VirtualTerminal } from "./virtual-terminal.ts"

/** Lines of a script of the replay provider. */
export type Script = readonly object[]

export interface PlayingApp {
  readonly app: App
  readonly terminal: VirtualTerminal
  readonly directory: string
  /** Types a text, key by key. */
  readonly type: (text: string) => void
  /** Presses a key by what a terminal sends for it. */
  readonly press: (data: string) => void
  /** Resolves when the screen, or the scrollback above it, has the text. */
  readonly shows: (text: string) => Promise<void>
  /** Resolves when nothing works any more. */
  readonly idle: () => Promise<void>
  /** Lets the user read a question: keys belong to it from then on. */
  readonly read: () => void
  /** Bytes written so far. */
  readonly written: () => number
  /** Sequences that draw nothing. */
  readonly sent: () => readonly string[]
  /** Changes the clock of the UI. */
  readonly setClock: (time: number) => void
  /** Draws now, and resolves when the terminal has read it. */
  readonly drawn: () => Promise<void>
}

export type PlayingEngine = Awaited<ReturnType<typeof playingSource>>

export const ENTER = "\r"
export const ESCAPE = "\u001B"

/**
 * An engine in this process with a scripted model, as the UI sees it. `pace`: 1 to wait as the script says. `settings`: the
 * user's own configuration.
 */
export async function playingSource(script: Script, pace = 0, settings?: object) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-tui-")))
  const file = join(directory, "script.jsonl")
  await writeFile(file, script.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const project = await realpath(await mkdtemp(join(tmpdir(), "pawl-tui-")))
  if (settings) {
    const own = join(directory, ".config", "pawl", "pawl.json")
    await mkdir(dirname(own), { recursive: true })
    await writeFile(own, JSON.stringify(settings))
  }
  const host = processHost({
    directory: project,
    home: directory,
    environment: { PATH: process.env["PATH"], HOME: directory },
  })
  const runtime = await openRuntime({
    ...{ directory: project, host, askPolicy: "wait", storage: "memory:", session: { type: "new" } },
    model: { script: file, pace },
  })
  onTestFinished(async () => {
    await runtime.close()
    for (const each of [directory, project]) await rm(each, { recursive: true, force: true })
  })
  return { source: createRuntimeSource({ runtime, mask: (text) => text, host }), project, home: directory }
}

type Options = Partial<Pick<AppOptions, "hasLinks" | "statusCommand" | "editorKeys" | "diff" | "isFull">> & {
  readonly onFrame?: (frame: string) => void
  /** An engine that the UI shares with others. Default: one of its own. */
  readonly engine?: PlayingEngine
}

/**
 * The UI over an engine in this process with a scripted model, in a terminal in memory. Each frame is checked.
 * `pace`: 1 to wait as the script says.
 */
export async function playingApp(
  script: Script,
  columns = 80,
  rows = 24,
  pace = 0,
  options: Options = {},
): Promise<PlayingApp> {
  const late = await lateApp(script, columns, rows, pace, options)
  await late.open()
  return late
}

/** The same before the engine is open for the UI. */
export async function lateApp(
  script: Script,
  columns = 80,
  rows = 24,
  pace = 0,
  options: Options = {},
): Promise<PlayingApp & { readonly open: () => Promise<void> }> {
  const { source: ready, project } = options.engine ?? (await playingSource(script, pace))
  const mask = (text: string) => text
  const opening = Promise.withResolvers<Source>()
  const source = createLateSource({ directory: project, mask, opening: opening.promise })
  const terminal = createVirtualTerminal(columns, rows)
  const theme = createTheme(false)
  let now = 1_000_000
  let bytes = 0
  const sent: string[] = []
  let drawn = Promise.resolve()
  const app = createApp({
    ...{
      source,
      theme,
      commands: commandList(),
      keys: {},
      history: memoryHistory(),
      models: memoryModelChoices(),
      now: () => now,
      size: terminal.size,
    },
    markdown: createMarkdown({ theme, hasLinks: false }),
    output: {
      write(frame) {
        expect(frameProblems(frame)).toEqual([])
        options.onFrame?.(frame)
        bytes += Buffer.byteLength(frame)
        drawn = drawn.then(() => terminal.write(frame))
      },
      ...{ isBusy: () => false, onceFree: () => undefined },
    },
    timer: {
      now: () => performance.now(),
      after(milliseconds, callback) {
        const timer = setTimeout(callback, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    sendSequence: (sequence) => void sent.push(sequence),
    ...options,
    editExternally: async (text) => `${text} edited`,
    suspend: () => undefined,
    onLeave: () => undefined,
  })
  onTestFinished(() => app.close())
  app.flush()
  const press = (data: string) => app.handleKey(toKeyPress(data))
  return {
    async open() {
      opening.resolve(ready)
      await app.ui.newSession()
      app.sendHeld()
    },
    ...{ app, terminal, directory: project, press },
    type(text) {
      for (const character of text) press(character)
    },
    shows: (text) => shown(terminal, text),
    async idle() {
      await expect.poll(() => app.ui.view().status).toBe("idle")
      await expect.poll(() => app.ui.view().blocks).toEqual([])
      await drawn
    },
    read: () => (now += 1000),
    written: () => bytes,
    sent: () => sent,
    setClock: (time) => void (now = time),
    async drawn() {
      app.flush()
      await drawn
    },
  }
}

/** Milliseconds. On a busy machine a second becomes many. */
const MAX_WAIT_MS = 60_000

/** Waits for a text, which may be wrapped. */
async function shown(terminal: VirtualTerminal, text: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  while (!flowing(terminal.scrollback().join("\n")).includes(flowing(text))) {
    if (performance.now() > deadline) throw new Error(`"${text}" is not shown:\n${terminal.scrollback().join("\n")}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function flowing(text: string): string {
  return text.replaceAll(/\s+/g, " ")
}
