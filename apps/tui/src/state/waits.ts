import type { Part, SessionStatus } from "@pawl/core"
import type { ToolPart } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"
import { toolSubject } from "@pawl/terminal-text/tool-subject"
import type { SessionView, Wait } from "./view.ts"

/** Follows the parts of a step: what begins and ends. */
export function followPart(view: SessionView, part: Part, now: number): SessionView {
  if (part.type === "step-start") return { ...view, modelWait: { label: "waiting for the model", since: now } }
  if (part.type === "step-finish") return { ...view, modelWait: undefined }
  if (part.type === "reasoning") return toggled(view, part.id, part.time.end === undefined, () => "thinking", now)
  if (part.type === "text")
    return view.modelWait && part.time?.end === undefined ? { ...view, modelWait: undefined } : view
  if (part.type !== "tool") return view
  const isOpen = part.state.status === "pending" || part.state.status === "running"
  return toggled(view, part.id, isOpen, () => callLabel(part, view.session?.directory ?? ""), now)
}

export function followStatus(view: SessionView, status: SessionStatus, now: number): SessionView {
  if (status.type === "idle") {
    return { ...view, status: "idle", busySince: undefined, modelWait: undefined, waits: new Map() }
  }
  const busySince = view.busySince ?? now
  if (status.type === "busy") {
    const modelWait =
      view.status === "busy" && !view.modelWait?.until ? view.modelWait : { label: "waiting for the model", since: now }
    return { ...view, status: "busy", busySince, modelWait }
  }
  const label = `${plainLine(status.message)} · attempt ${status.attempt + 1} of ${status.attempts}`
  return { ...view, status: "busy", busySince, modelWait: { label, since: now, until: status.next } }
}

export function withoutWait(view: SessionView, id: string): SessionView {
  if (!view.waits.has(id)) return view
  const waits = new Map(view.waits)
  waits.delete(id)
  return { ...view, waits }
}

/** Returns what the session waits for now: the user first, then a call, then the model. */
export function currentWait({ questions, waits, modelWait, status }: SessionView): Wait | undefined {
  if (status === "idle") return undefined
  const [question] = questions
  if (question) return { label: "waiting for your answer", since: question.since }
  const [first, ...others] = waits.values()
  if (first) return others.length === 0 ? first : { ...first, label: `${first.label} and ${others.length} more` }
  return modelWait
}

function toggled(view: SessionView, id: string, isWaitedFor: boolean, label: () => string, now: number): SessionView {
  if (!isWaitedFor) return withoutWait(view, id)
  const since = view.waits.get(id)?.since ?? now
  return { ...view, modelWait: undefined, waits: new Map(view.waits).set(id, { label: label(), since }) }
}

function callLabel(part: ToolPart, directory: string): string {
  const name = plainLine(part.tool)
  if (part.state.status === "pending") return `preparing ${name}`
  return `${name} ${toolSubject(part, directory)}`.trim()
}
