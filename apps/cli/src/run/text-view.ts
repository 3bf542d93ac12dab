import type { EngineEvent, Part, SessionStatus, TextPart, ToolPart } from "@pawl/core"
import { maskedStrings, type Secrets } from "@pawl/secrets"
import { createLiveText } from "../output/live-text.ts"
import type { Output } from "../output/output.ts"
import { createScreen } from "../output/screen.ts"
import { compactedLine, compactingLine } from "../render/compaction-line.ts"
import { createFlow, wrap } from "../render/flow.ts"
import { errorLines } from "../render/error-lines.ts"
import { plainLine, plainText } from "../render/plain.ts"
import { wholeSeconds } from "../render/quantity.ts"
import { summaryLines } from "../render/summary.ts"
import type { Theme } from "../render/theme.ts"
import { toolLines } from "../render/tool-lines.ts"
import type { RunView } from "./run-view.ts"
import { createWaits } from "./waits.ts"

export interface TextViewOptions {
  readonly stdout: Output
  readonly stderr: Output
  /** Of stderr. */
  readonly theme: Theme
  readonly secrets?: Pick<Secrets, "mask"> | undefined
  /** Paths are shown relative to it. */
  readonly directory: string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds on a clock that only goes forward. */
  readonly tick: () => number
}

const REASONING_LINES = 3
/** Longer lines are hard to read. */
const WIDEST = 100
/** Of lines about tools where there is no terminal to keep to, as in the log of a CI job. */
const LOG_COLUMNS = 160

/** For people. On a terminal text appears as it comes; elsewhere whole texts, so that a repeated answer leaves no half. */
export function createTextView(options: TextViewOptions): RunView {
  const { stdout, stderr, theme, directory, secrets } = options
  const mask = (text: string) => secrets?.mask(text) ?? text
  const screen = createScreen({ stdout, stderr, theme, now: options.tick })
  const waits = createWaits({ directory, now: options.tick })
  const live = createLiveText(
    createFlow(() => Math.min(stdout.columns, WIDEST)),
    (text) => screen.answer(text),
  )
  /** The text part that appears as it comes. */
  let livePartID: string | undefined
  let isBroken = false

  function handlePart(part: Part): void {
    if (part.type === "text") handleText(part)
    if (part.type === "tool") handleTool(part)
    if (part.type === "reasoning" && part.time.end !== undefined) screen.note(reasoningLines(part.text), true)
  }
  function handleText(part: TextPart): void {
    // What the user wrote has no time.
    if (!part.time || part.synthetic) return
    if (part.time.end === undefined) {
      if (stdout.isTerminal) livePartID ??= part.id
      return
    }
    const wasShown = part.id === livePartID && endLive()
    if (!wasShown) showWhole(part.text)
    screen.endAnswer()
  }
  function showWhole(text: string): void {
    if (!stdout.isTerminal) return screen.answer(plainText(text).trimEnd())
    live.append(text)
    live.end()
  }
  function endLive(): boolean {
    livePartID = undefined
    return live.end()
  }
  function noteColumns(): number {
    return stderr.isTerminal ? stderr.columns : LOG_COLUMNS
  }
  function handleTool(part: ToolPart): void {
    const isSettled = part.state.status === "completed" || part.state.status === "error"
    // What is no terminal may be kept, as the log of a CI job is.
    const shown = stderr.isTerminal ? part : maskedStrings(part, mask)
    if (isSettled) screen.note(toolLines(shown, { columns: noteColumns(), theme, directory }))
  }
  function handleStatus(status: SessionStatus): void {
    if (status.type !== "retry") return
    const seconds = Math.max(0, Math.round((status.next - options.now()) / 1000))
    const again = `trying again in ${wholeSeconds(seconds)} (retry ${status.attempt})`
    const broken = isBroken ? fitted("the text above broke off and comes once more") : []
    isBroken = false
    screen.note([...fitted(`${plainLine(mask(status.message))} · ${again}`), ...broken].map((line) => theme.warn(line)))
  }
  function fitted(text: string): string[] {
    return stderr.isTerminal ? wrap(text, Math.min(stderr.columns, WIDEST)) : [text]
  }
  function reasoningLines(text: string): string[] {
    if (!stderr.isTerminal) return []
    const lines = wrap(plainText(text).trim(), Math.min(stderr.columns, WIDEST) - 4).filter((line) => line !== "")
    const shown = lines.slice(0, REASONING_LINES)
    if (lines.length > shown.length) shown.push(`${shown.pop() ?? ""} …`)
    return shown.map((line) => theme.faint(`  ${line}`))
  }

  return {
    handle(event: EngineEvent) {
      // Deltas come by the hundred thousand.
      if (event.type === "message.part.delta") {
        if (event.properties.partID === livePartID) live.append(event.properties.delta)
        return
      }
      waits.follow(event)
      if (event.type === "message.part.updated") handlePart(event.properties.part)
      if (event.type === "message.part.removed" && event.properties.partID === livePartID) isBroken = endLive()
      if (event.type === "session.status") handleStatus(event.properties.status)
      const line = quietLine(event)
      if (line !== undefined) screen.note(fitted(mask(line)).map((each) => theme.faint(each)))
      screen.status(waits.current())
    },
    notice: (text) => screen.note(fitted(mask(text)).map((line) => theme.faint(line))),
    error: (error, _sessionID, hint) =>
      screen.note(errorLines(error.data.message, { output: stderr, theme, secrets }, hint)),
    ask(lines, answer) {
      screen.note(lines, true)
      return screen.hold(answer)
    },
    end(facts) {
      endLive()
      screen.close()
      if (facts) screen.note(summaryLines(facts, noteColumns(), theme), true)
    },
  }
}

/** What happened beside the work. */
function quietLine(event: EngineEvent): string | undefined {
  if (event.type === "session.compacting") return compactingLine(event.properties)
  if (event.type === "session.compacted") return compactedLine(event.properties)
  return event.type === "session.notice" ? plainLine(event.properties.message) : undefined
}
