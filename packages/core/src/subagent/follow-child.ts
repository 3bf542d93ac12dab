import type { EngineEvent, EventBus } from "../contracts/events.ts"
import type { JSONObject } from "../base/json.ts"
import type { ModelRef, Session, ToolPart } from "../record/message.ts"
import { isStoredAgain } from "../record/tool-calls.ts"
import type { DelegationLife } from "../contracts/delegate.ts"

/** Number of the subagent's calls that its parent shows. */
const MAX_SHOWN_CALLS = 5

export interface Following {
  readonly child: Session
  readonly work: { readonly model: ModelRef; readonly life: DelegationLife }
  /** Called on each event of the child, and at intervals while the child waits for the user. */
  readonly alive: () => void
  /** Milliseconds between calls of `alive` while the child waits for the user. 0: no calls. */
  readonly every: number
}

/** Shows the child's progress in the parent's call. Returns the function that ends it. */
export function followChild(bus: EventBus, { child, work, alive, every }: Following): () => void {
  const { life, model } = work
  const calls = new Map<string, ToolPart>()
  const questions = new Set<string>()
  const show = () => {
    const newest = [...calls.values()].slice(-MAX_SHOWN_CALLS)
    const metadata = { sessionId: child.id, model: { ...model }, summary: newest.map((call) => summaryOf(call)) }
    life.progress?.({ metadata })
  }
  const unsubscribe = bus.subscribe((event) => {
    if (!isAbout(event, child.id)) return
    alive()
    const { properties, type } = event
    if (type === "permission.asked" || type === "question.asked") questions.add(properties.id)
    if (type === "permission.replied" || type === "question.replied" || type === "question.rejected") {
      questions.delete(properties.requestID)
    }
    if (event.type !== "message.part.updated") return
    const { part } = event.properties
    if (part.type !== "tool" || part.state.status === "pending" || isStoredAgain(part)) return
    const before = calls.get(part.id)
    calls.set(part.id, part)
    if (before?.state.status !== part.state.status || titleOf(before) !== titleOf(part)) show()
  })
  const timer = every > 0 ? setInterval(() => questions.size > 0 && alive(), every) : undefined
  timer?.unref()
  show()
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

function isAbout(event: EngineEvent, sessionID: string): boolean {
  const { properties } = event
  return "sessionID" in properties && properties.sessionID === sessionID
}

function titleOf({ state }: ToolPart): string | undefined {
  return state.status === "running" || state.status === "completed" ? state.title : undefined
}

function summaryOf(part: ToolPart): JSONObject {
  const title = titleOf(part)
  return { tool: part.tool, ...(title === undefined ? {} : { title }), status: part.state.status }
}
