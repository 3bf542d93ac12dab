import type { EngineEvent, Part, SessionStatus } from "@pawl/core"
import type { ToolPart } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"
import { toolSubject } from "@pawl/terminal-text/tool-subject"
import type { Wait } from "../output/screen.ts"

/** Follows a run's events and reports what it currently waits for. */
export interface Waits {
  follow(event: EngineEvent): void
  current(): Wait | undefined
}

export interface WaitsOptions {
  /** Paths are shown relative to it. */
  readonly directory: string
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Epoch milliseconds. */
  readonly clock: () => number
}

export function createWaits({ directory, now, clock }: WaitsOptions): Waits {
  /** Open waits by part id, in order of their start. */
  const open = new Map<string, Wait>()
  let model: Wait | undefined

  function followPart(part: Part): void {
    if (part.type === "step-start") model = { label: "waiting for the model", since: now() }
    if (part.type === "reasoning") toggle(part.id, "thinking", part.time.end === undefined)
    if (part.type === "tool") toggle(part.id, callLabel(part, directory), isOpen(part))
    if (part.type === "step-finish") model = undefined
  }
  function toggle(id: string, label: string, isWaitedFor: boolean): void {
    if (isWaitedFor) open.set(id, { label, since: open.get(id)?.since ?? now() })
    else open.delete(id)
  }

  return {
    follow(event) {
      if (event.type === "message.part.updated") followPart(event.properties.part)
      if (event.type === "message.part.removed") open.delete(event.properties.partID)
      if (event.type === "session.status") {
        const { status } = event.properties
        const { type } = status
        if (type === "retry") model = { label: againLabel(status), since: now(), until: now() + status.next - clock() }
        if (type === "busy") model = { label: "waiting for the model", since: now() }
        if (type === "idle") model = undefined
      }
      if (event.type === "session.compacting" && !event.properties.background) {
        model = { label: "writing a summary", since: now() }
      }
      if (event.type === "session.compacted" && model) model = { label: "waiting for the model", since: now() }
    },
    current() {
      const [first, ...others] = open.values()
      if (!first) return model
      return others.length === 0 ? first : { ...first, label: `${first.label} and ${others.length} more` }
    },
  }
}

function againLabel({ attempt, attempts }: Extract<SessionStatus, { type: "retry" }>): string {
  return `waiting to try again, attempt ${attempt + 1} of ${attempts}`
}

function isOpen({ state }: ToolPart): boolean {
  return state.status === "pending" || state.status === "running"
}

function callLabel(part: ToolPart, directory: string): string {
  // An unknown tool name is text of the model, so it is masked like other text.
  const name = plainLine(part.tool)
  if (part.state.status === "pending") return `preparing ${name}`
  return `${name} ${toolSubject(part, directory)}`.trim()
}
