import { writeSync } from "node:fs"
import { join } from "node:path"
import { createTheme } from "@pawl/terminal-text/theme"
import { createApp } from "./app.ts"
import { commandList } from "./commands/command-list.ts"
import { memoryHistory, openPromptHistory, type PromptHistory } from "./history/prompt-history.ts"
import { memoryModelChoices, type ModelChoices, openModelChoices } from "./models/model-choices.ts"
import { createNotifications, notificationSequence } from "./notifications.ts"
import { readTuiSettings } from "./settings/tui-settings.ts"
import { editExternally } from "./terminal/external-editor.ts"
import type { FrameTimer, ScreenOutput } from "./screen/screen.ts"
import type { Source } from "./source/source.ts"
import { createSwitchingTheme, themeOfColors, themeOfReport } from "./settings/themes.ts"
import { createLateSource } from "./source/late-source.ts"
import { suspendProcess } from "./terminal/job-control.ts"
import { createMarkdown } from "./terminal/markdown.ts"
import { hasLinks } from "./terminal/sequences.ts"
import { createTerminal } from "./terminal/terminal.ts"

/** An open engine for the UI. The caller closes it. */
export interface OpenedTui {
  readonly source: Source
  /** Session to continue. Default: a new one. */
  readonly sessionID?: string | undefined
  /** Lines to show at the beginning. */
  readonly notices: readonly string[]
}

export interface OpeningScreen {
  /** Leaves the terminal to a question of the caller, until the returned function is called. */
  readonly lend: () => () => void
  /** Shows a line, also after the engine is open. */
  readonly notice: (text: string) => void
}

export interface TuiOptions {
  /** Opens the engine, while the user types already. */
  readonly open: (screen: OpeningScreen) => Promise<OpenedTui>
  readonly directory: string
  /** Masks secrets. */
  readonly mask: (text: string) => string
  /** Appends lines instead of drawing a screen. */
  readonly isPlain?: boolean | undefined
  /** Uses the alternate screen, and scrolls in it. */
  readonly isFull?: boolean | undefined
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream & { readonly fd: number }
  /** True for colours. The settings choose them. */
  readonly hasColors: boolean
  /** The file with the settings of the UI. */
  readonly settingsFile: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Directory of the prompt history. Default: the history ends with the UI. */
  readonly dataDirectory?: string
  /** Ends the UI, such as on a signal. */
  readonly signal: AbortSignal
  /** Hands over lines that other code printed, until the returned function is called. */
  readonly onPrinted: (listener: (line: string) => void) => () => void
}

/** How the UI ended. */
export interface TuiEnd {
  /** The session that was shown last, if it is stored. */
  readonly sessionID: string | undefined
}

/** Runs the terminal UI until the user leaves. Resolves when the terminal is as before. Rejects if `open` does. */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const { source, sessionID } = await (options.isPlain ? runInLines(options) : runOnScreen(options))
  const isStored = sessionID !== undefined && (await isKnown(source, sessionID))
  return { sessionID: isStored ? sessionID : undefined }
}

interface ShownLast {
  readonly source: Source
  readonly sessionID: string | undefined
}

async function runInLines({ open, output, ...others }: TuiOptions): Promise<ShownLast> {
  const notice = (text: string) => void output.write(`${text}\n`)
  const opening = open({ lend: () => () => undefined, notice })
  const [{ runPlain }, opened] = await Promise.all([import("./plain/plain-app.ts"), opening])
  const unhear = others.onPrinted(notice)
  try {
    const columns = () => output.columns || 100
    const { source, sessionID, notices } = opened
    const theme = createTheme(others.hasColors)
    const last = await runPlain({
      ...others,
      theme,
      source,
      sessionID,
      notices,
      output,
      columns,
      commands: commandList(),
      models: modelChoices(others.dataDirectory),
      history: promptHistory(others),
      home: others.environment["HOME"],
    })
    return { source, sessionID: last }
  } finally {
    unhear()
  }
}

async function runOnScreen(options: TuiOptions): Promise<ShownLast> {
  const { input, output, environment, signal, directory, mask } = options
  const { dataDirectory } = options
  const settings = await readTuiSettings(options.settingsFile)
  const choice = options.hasColors ? settings.theme : "none"
  const named = choice === "auto" ? themeOfColors(environment["COLORFGBG"]) : choice
  const { theme, use } = createSwitchingTheme(named ?? "dark")
  const links = hasLinks(environment)
  const send = (sequence: string) => void output.write(sequence)
  const notifications =
    settings.notify === "off"
      ? undefined
      : createNotifications((text) => send(notificationSequence(text, settings.notify, environment)))
  const history = promptHistory(options)
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const { promise: opening, resolve: opened, reject: failed } = Promise.withResolvers<Source>()
  const source = createLateSource({ directory, mask, opening })
  let isOver = false
  const app = createApp({
    ...{ source, theme, timer: frameTimer, now: Date.now, commands: commandList(), keys: settings.keys, history },
    models: modelChoices(dataDirectory),
    editorKeys: settings.editor,
    diff: settings.diff,
    home: environment["HOME"],
    async editExternally(text) {
      terminal.leave()
      try {
        return await editExternally(text, environment)
      } finally {
        terminal.enter()
      }
    },
    output: screenOutput(output),
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    markdown: createMarkdown({ theme, hasLinks: links }),
    ...{ hasLinks: links, statusCommand: settings.statusLine?.command, sendSequence: send },
    onView: (view) => notifications?.follow(view),
    suspend(onContinue) {
      terminal.leave()
      suspendProcess(() => {
        terminal.enter()
        onContinue()
      })
    },
    onLeave: leave,
    isFull: options.isFull,
  })
  const terminal = createTerminal({
    ...{ input, output, onKey: app.handleKey, onEnd: leave, isFull: options.isFull },
    writeNow: (text) => void writeSync(output.fd, text),
    // A console of Linux shows the query.
    asksBackground: named === undefined && environment["TERM"] !== "linux",
    onBackground(report) {
      const found = themeOfReport(report)
      if (found === undefined || named !== undefined) return
      use(found)
      app.ui.changed()
    },
    onFocus: notifications && ((hasFocus) => notifications.focus(hasFocus)),
  })
  const unhear = options.onPrinted((line) => app.ui.notice(line))
  output.on("resize", app.resized)
  signal.addEventListener("abort", () => leave(), { once: true })
  try {
    await app.ready
    terminal.enter()
    // The editor is there before the engine takes the thread.
    app.flush()
    await new Promise((resolve) => setImmediate(resolve))
    const starting = start()
    await Promise.race([left, starting])
    await left
  } finally {
    isOver = true
    output.off("resize", app.resized)
    unhear()
    app.close()
    terminal.leave()
    const last = app.lastTurn()
    if (last.length > 0) output.write(`${last.join("\n")}\n`)
  }
  // The caller closes what it opens, so it must be open by then.
  await opening
  return { source, sessionID: app.ui.view().session?.id }

  async function start(): Promise<void> {
    try {
      const { sessionID, notices, source: ready } = await options.open({ lend, notice: app.ui.notice })
      opened(ready)
      for (const notice of notices) app.ui.notice(notice)
      await (sessionID === undefined ? app.ui.newSession() : app.ui.openSession(sessionID))
      app.sendHeld()
    } catch (error) {
      failed(error)
      throw error
    }
  }

  function lend(): () => void {
    const takeBack = app.lend()
    terminal.leave()
    return () => {
      if (isOver) return
      terminal.enter()
      takeBack()
    }
  }
}

function promptHistory({ dataDirectory, mask }: Pick<TuiOptions, "dataDirectory" | "mask">): PromptHistory {
  return dataDirectory === undefined
    ? memoryHistory()
    : openPromptHistory({ file: join(dataDirectory, "prompts.jsonl"), mask, now: Date.now })
}

function modelChoices(dataDirectory: string | undefined): ModelChoices {
  return dataDirectory === undefined
    ? memoryModelChoices()
    : openModelChoices(join(dataDirectory, "chosen-models.json"))
}

const frameTimer: FrameTimer = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

function screenOutput(stream: NodeJS.WriteStream): ScreenOutput {
  return {
    write: (text) => stream.write(text),
    isBusy: () => stream.writableNeedDrain,
    onceFree: (listener) => stream.once("drain", listener),
  }
}

/** Returns false for a session without a prompt, which is not stored. */
async function isKnown(source: Source, id: string): Promise<boolean> {
  const { messages, queue } = await source.openSession(id).catch(() => ({ messages: [], queue: [] }))
  return messages.length + queue.length > 0
}
