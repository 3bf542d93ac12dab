import { writeSync } from "node:fs"
import { join } from "node:path"
import type { Theme } from "@pawl/terminal-text/theme"
import { createApp } from "./app.ts"
import { commandList } from "./commands/command-list.ts"
import { memoryHistory, openPromptHistory } from "./history/prompt-history.ts"
import { readTuiSettings } from "./settings/tui-settings.ts"
import { editExternally } from "./terminal/external-editor.ts"
import type { FrameTimer, ScreenOutput } from "./screen/screen.ts"
import type { Source } from "./source/source.ts"
import { suspendProcess } from "./terminal/job-control.ts"
import { createMarkdown } from "./terminal/markdown.ts"
import { createTerminal } from "./terminal/terminal.ts"

export interface TuiOptions {
  readonly source: Source
  /** Appends lines instead of drawing a screen. */
  readonly isPlain?: boolean | undefined
  /** Session to continue. Default: a new one. */
  readonly sessionID?: string | undefined
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream & { readonly fd: number }
  readonly theme: Theme
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Directory of the prompt history. Default: the history ends with the UI. */
  readonly dataDirectory?: string
  /** Directory of `tui.json`. Default: default settings. */
  readonly configDirectory?: string
  /** Ends the UI, such as on a signal. */
  readonly signal: AbortSignal
  /** Lines to show at the beginning. */
  readonly notices: readonly string[]
  /** Hands over lines that other code printed, until the returned function is called. */
  readonly onPrinted: (listener: (line: string) => void) => () => void
}

/** How the UI ended. */
export interface TuiEnd {
  /** The session that was shown last, if it is stored. */
  readonly sessionID: string | undefined
}

/** Runs the terminal UI until the user leaves. Resolves when the terminal is as before. The caller closes the source. */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const sessionID = await (options.isPlain ? runInLines(options) : runOnScreen(options))
  const isStored = sessionID !== undefined && (await isKnown(options.source, sessionID))
  return { sessionID: isStored ? sessionID : undefined }
}

async function runInLines(options: TuiOptions): Promise<string | undefined> {
  const { runPlain } = await import("./plain/plain-app.ts")
  const { output, ...others } = options
  const unhear = options.onPrinted((line) => output.write(`${line}\n`))
  try {
    const columns = () => output.columns || 100
    return await runPlain({ ...others, output, columns, sessionID: options.sessionID, commands: commandList() })
  } finally {
    unhear()
  }
}

/** Resolves with the id of the session that was shown last. */
async function runOnScreen(options: TuiOptions): Promise<string | undefined> {
  const { dataDirectory, configDirectory } = options
  const settings =
    configDirectory === undefined ? { keys: {} } : await readTuiSettings(join(configDirectory, "tui.json"))
  const mask = (text: string) => options.source.mask(text)
  const history =
    dataDirectory === undefined
      ? memoryHistory()
      : openPromptHistory({ file: join(dataDirectory, "prompts.jsonl"), mask, now: Date.now })
  const { source, input, output, theme, environment, signal } = options
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const app = createApp({
    ...{ source, theme, timer: frameTimer, now: Date.now, commands: commandList(), keys: settings.keys, history },
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
    markdown: createMarkdown({ theme, hasLinks: hasLinks(environment) }),
    suspend(onContinue) {
      terminal.leave()
      suspendProcess(() => {
        terminal.enter()
        onContinue()
      })
    },
    onLeave: leave,
  })
  const terminal = createTerminal({
    ...{ input, output, onKey: app.handleKey, onEnd: leave },
    writeNow: (text) => void writeSync(output.fd, text),
  })
  const unhear = options.onPrinted((line) => app.ui.notice(line))
  output.on("resize", app.resized)
  signal.addEventListener("abort", () => leave(), { once: true })
  try {
    terminal.enter()
    for (const notice of options.notices) app.ui.notice(notice)
    await (options.sessionID === undefined ? app.ui.newSession() : app.ui.openSession(options.sessionID))
    if (!signal.aborted) await left
  } finally {
    output.off("resize", app.resized)
    unhear()
    app.close()
    terminal.leave()
  }
  return app.ui.view().session?.id
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

/** Terminals that are known to obey OSC 8. Others show nothing wrong, but some print the address. */
function hasLinks({
  TERM_PROGRAM,
  VTE_VERSION,
  KITTY_WINDOW_ID,
  WT_SESSION,
  TERM = "",
}: TuiOptions["environment"]): boolean {
  const isKnownProgram = ["iTerm.app", "WezTerm", "vscode", "ghostty"].includes(TERM_PROGRAM ?? "")
  return (
    isKnownProgram ||
    Number(VTE_VERSION ?? 0) >= 5000 ||
    [KITTY_WINDOW_ID, WT_SESSION].some(Boolean) ||
    /kitty|ghostty|alacritty/.test(TERM)
  )
}

/** Returns false for a session without a prompt, which is not stored. */
async function isKnown(source: Source, id: string): Promise<boolean> {
  const { messages, queue } = await source.openSession(id).catch(() => ({ messages: [], queue: [] }))
  return messages.length + queue.length > 0
}
