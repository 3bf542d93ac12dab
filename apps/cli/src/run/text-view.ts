import type { EngineEvent, EventMap, Part, SessionStatus } from "@pawl/core"
import type { TextPart, ToolPart } from "@pawl/core/record"
import { maskedStrings, type Secrets } from "@pawl/secrets"
import { createLiveText } from "../output/live-text.ts"
import type { Output } from "../output/output.ts"
import { createScreen, type Wait } from "../output/screen.ts"
import { compactedLine, compactingLine } from "@pawl/terminal-text/compaction-line"
import { leaseWait, leaseWaitLine } from "../render/lease-wait.ts"
import { createFlow, wrap } from "@pawl/terminal-text/flow"
import { deliveredLines, queuedLine } from "./delivery-lines.ts"
import { errorLines } from "../render/error-lines.ts"
import { plainLine, plainText } from "@pawl/plain-text"
import { wholeSeconds } from "@pawl/terminal-text/quantity"
import { waitingLine } from "@pawl/terminal-text/waiting-line"
import { summaryLines } from "@pawl/terminal-text/summary"
import type { Theme } from "@pawl/terminal-text/theme"
import { subagentLines, taskBeginning } from "@pawl/terminal-text/subagent-lines"
import { toolLines } from "@pawl/terminal-text/tool-lines"
import type { RunView } from "./run-view.ts"
import { createDeliveries } from "@pawl/runtime/run/deliveries"
import type { Subagent } from "@pawl/runtime/run/subagent-tracker"
import { createWaits } from "./waits.ts"

export interface TextViewOptions {
  readonly stdout: Output
  readonly stderr: Output
  /** Theme of stderr. */
  readonly theme: Theme
  readonly secrets?: Pick<Secrets, "mask"> | undefined
  /** Paths are shown relative to it. */
  readonly directory: string
  /** The colors of agents by their names. */
  readonly colorOf?: (agent: string) => string | undefined
  /** Shows the model's whole reasoning. Default: its first lines, on a terminal. */
  readonly showsThinking?: boolean | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly tick: () => number
}

const REASONING_LINES = 3
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100
/** Width of tool lines without a terminal, such as in the log of a CI job. */
const LOG_COLUMNS = 160

/** Creates the text view. A terminal shows text as it arrives; a pipe gets whole texts, so that a retried answer leaves no half. */
export function createTextView(options: TextViewOptions): RunView {
  const { stdout, stderr, theme, directory, secrets, showsThinking = false, colorOf = () => undefined } = options
  const mask = (text: string) => secrets?.mask(text) ?? text
  const screen = createScreen({ stdout, stderr, theme, now: options.tick })
  const waits = createWaits({ directory, now: options.tick, clock: options.now })
  const live = createLiveText(
    createFlow(() => Math.min(stdout.columns, MAX_COLUMNS)),
    (text) => screen.answer(text),
  )
  /** Text part that is being streamed to the terminal. */
  let livePartID: string | undefined
  let isBroken = false
  const deliveries = createDeliveries()
  /** Calls whose subagents were announced. */
  const begun = new Set<string>()
  let title: string | undefined
  let ownerWait: Wait | undefined
  let hasBegun = false

  function handlePart(part: Part): void {
    if (part.type === "step-start") hasBegun = true
    if (part.type === "text") handleText(part)
    if (part.type === "tool") handleTool(part)
    if (part.type === "reasoning" && part.time.end !== undefined) screen.note(reasoningLines(part.text), true)
  }
  function handleText(part: TextPart): void {
    // The user's own text has no time.
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
    const layout = { columns: noteColumns(), theme, directory, colorOf }
    if (part.state.status === "running" && !begun.has(part.id)) {
      begun.add(part.id)
      screen.note(taskBeginning(kept(part), layout))
    }
    if (isSettled(part)) screen.note(toolLines(kept(part), layout))
  }
  /** Masks secrets unless the output is a terminal: other outputs may be stored, such as the log of a CI job. */
  function kept<P extends Part>(part: P): P {
    return stderr.isTerminal ? part : maskedStrings(part, mask)
  }
  function handleWaiting(wait: EventMap["session.waiting"], subagent?: Subagent): void {
    // A terminal already shows the text so far, and the status line shows the wait.
    const text = stdout.isTerminal || subagent ? "" : mask(wait.text)
    if (text.trim() === "" && !subagent && screen.showsStatus()) return
    const whose = subagent ? `${plainLine(subagent.name)}: ` : ""
    screen.note(fitted(mask(whose + waitingLine({ ...wait, text }))).map((line) => theme.faint(line)))
  }
  function handleSubagent(event: EngineEvent, subagent: Subagent): void {
    if (event.type === "session.waiting") return handleWaiting(event.properties, subagent)
    if (event.type !== "message.part.updated") return
    const { part } = event.properties
    if (part.type !== "tool" || !isSettled(part)) return
    screen.note(subagentLines(kept(part), subagent.name, { columns: noteColumns(), theme, directory, colorOf }))
  }
  function handleTitle(event: EngineEvent): void {
    if (event.type !== "session.updated") return
    const { info } = event.properties
    // Its first one is the beginning of the task.
    if (hasBegun && title !== undefined && info.title !== title)
      screen.note([theme.faint(`title: ${plainLine(mask(info.title))}`)])
    title = info.title
  }
  function handleStatus(status: SessionStatus): void {
    if (status.type !== "retry") return
    const seconds = Math.max(0, Math.ceil((status.next - options.now()) / 1000))
    const again = `trying again in ${wholeSeconds(seconds)} (attempt ${status.attempt + 1} of ${status.attempts})`
    const broken = isBroken ? fitted("the text above broke off and comes once more") : []
    isBroken = false
    screen.note([...fitted(`${plainLine(mask(status.message))} · ${again}`), ...broken].map((line) => theme.warn(line)))
  }
  function fitted(text: string): string[] {
    return stderr.isTerminal ? wrap(text, Math.min(stderr.columns, MAX_COLUMNS)) : [text]
  }
  function reasoningLines(text: string): string[] {
    if (showsThinking) return wholeReasoning(plainText(mask(text)).trim()).map((line) => theme.faint(line))
    if (!stderr.isTerminal) return []
    const lines = wrap(plainText(text).trim(), Math.min(stderr.columns, MAX_COLUMNS) - 4).filter((line) => line !== "")
    const shown = lines.slice(0, REASONING_LINES)
    if (lines.length > shown.length) shown.push(`${shown.pop() ?? ""} …`)
    return shown.map((line) => theme.faint(`  ${line}`))
  }

  function wholeReasoning(text: string): string[] {
    const lines = stderr.isTerminal ? wrap(text, Math.min(stderr.columns, MAX_COLUMNS) - 4) : text.split("\n")
    return text === "" ? [] : lines.map((line) => (line === "" ? "" : `  ${line}`))
  }

  return {
    isForPeople: true,
    handle(event: EngineEvent, subagent?: Subagent) {
      if (subagent) return handleSubagent(event, subagent)
      // Deltas come by the hundred thousand.
      if (event.type === "message.part.delta") {
        if (event.properties.partID === livePartID) live.append(event.properties.delta)
        return
      }
      waits.follow(event)
      handleTitle(event)
      const delivered = deliveries.follow(event)
      if (delivered) {
        const shown = { ...delivered, part: kept(delivered.part) }
        screen.note(deliveredLines(shown, { columns: Math.min(noteColumns(), MAX_COLUMNS), theme }), true)
      }
      if (event.type === "message.part.updated") handlePart(event.properties.part)
      if (event.type === "message.part.removed" && event.properties.partID === livePartID) isBroken = endLive()
      if (event.type === "session.status") handleStatus(event.properties.status)
      if (event.type === "session.waiting") handleWaiting(event.properties)
      const line = quietLine(event)
      if (line !== undefined) screen.note(fitted(mask(line)).map((each) => theme.faint(each)))
      screen.status(waits.current())
    },
    queued: (prompt) => screen.note(fitted(queuedLine(prompt))),
    waiting(sessionID, holder) {
      if (holder && !ownerWait) screen.note(fitted(leaseWaitLine(sessionID, holder)).map((line) => theme.faint(line)))
      ownerWait = holder && leaseWait(holder, options.tick(), ownerWait)
      screen.status(ownerWait)
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

function isSettled({ state }: ToolPart): boolean {
  return state.status === "completed" || state.status === "error"
}

/** Returns the line of an event that is not part of a step. */
function quietLine(event: EngineEvent): string | undefined {
  if (event.type === "session.compacting") return compactingLine(event.properties)
  if (event.type === "session.compacted") return compactedLine(event.properties)
  return event.type === "session.notice" ? plainLine(event.properties.message) : undefined
}
