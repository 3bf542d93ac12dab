import type { EngineEvent } from "@pawl/core"
import { isStoredAgain, type ModelRef, type Part, type Session } from "@pawl/core/record"
import type { Host } from "../host.ts"
import { pluginNotice } from "@pawl/runtime/plugins/plugin-problems"
import { plural } from "@pawl/terminal-text/quantity"
import type { SubagentTracker } from "@pawl/runtime/run/subagent-tracker"
import { questionNotice } from "./question-notices.ts"
import type { Questions } from "./question.ts"
import { createRefusals, type Refusals } from "@pawl/runtime/run/refusals"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"
import { createSummaries, type Summaries } from "@pawl/runtime/run/summaries"
import { noTotals, type Totals, withPart, withSubagentPart } from "@pawl/reports/usage/run-totals"
import type { Runtime } from "@pawl/runtime/open-runtime"

export interface WatchOptions {
  readonly runtime: Pick<Runtime, "engine" | "follow">
  readonly view: RunView
  readonly stop: Stop
  readonly host: Host
  /** Undefined if no user can be asked at this terminal. */
  readonly questions: Questions | undefined
  /** Called with the session when it is known. */
  readonly know: (sessionID: string) => SubagentTracker
}

/** The model and variant of an answer. The model may be a fallback. */
export interface AnsweringModel {
  readonly ref: ModelRef
  readonly variant: string | undefined
}

export interface WatchedRun {
  readonly totals: () => Totals
  /** Returns the first refusal in a child session. Undefined if questions are asked at this terminal. */
  readonly refusal: () => ReturnType<Refusals["first"]>
  /** Returns true if a step began, or if a call of an earlier process was settled. */
  readonly hasWorked: () => boolean
  /** Returns true if this run stored anything. */
  readonly hasStored: () => boolean
  /** Returns the model of the newest answer. */
  readonly model: () => AnsweringModel | undefined
  readonly end: () => void
}

/** Shows and counts the events of a session, and aborts its run when a stop is requested. */
export function watchRun({ runtime, view, stop, host, questions, know }: WatchOptions, session: Session): WatchedRun {
  const { engine } = runtime
  let totals = noTotals
  let hasWorked = false
  let hasStored = false
  let answering: AnsweringModel | undefined
  const subagents = know(session.id)
  const refusals = createRefusals()
  const notices = {
    ...{ program: host.program, subagents, isAskedHere: questions !== undefined },
    isAnsweredHere: (id: string) => questions?.isAnsweredHere(id) ?? false,
  }
  const summaries = createSummaries()
  const abort = () => void engine.abort(session.id)
  const onStop = () => {
    if (String(stop.signal.reason).startsWith("SIG")) view.notice("stopping…")
    abort()
  }
  stop.signal.addEventListener("abort", onStop, { once: true })
  const unsubscribe = engine.subscribe((event) => {
    const pluginText = pluginNotice(event)
    if (pluginText !== undefined) return view.notice(pluginText)
    if (event.type === "message.part.updated" && isStoredAgain(event.properties.part)) return
    const { sessionID } = "sessionID" in event.properties ? event.properties : {}
    if (sessionID === undefined) return
    subagents.follow(event)
    const notice = view.isForPeople ? questionNotice(event, notices) : undefined
    if (notice !== undefined) view.notice(notice)
    const subagent = subagents.subagentOf(sessionID)
    if (subagent) {
      refusals.follow(event)
      if (event.type === "message.part.updated") totals = withSubagentPart(totals, event.properties.part)
      view.handle(event, subagent)
      return
    }
    hasStored ||= event.type === "message.updated"
    summaries.follow(event)
    answering = answeringModel(event, summaries) ?? answering
    if (event.type === "message.part.updated") {
      const { part } = event.properties
      const isSummary = summaries.has(part.messageID)
      totals = withPart(totals, part, isSummary)
      // A summary is written for the model, so it is not shown. Its cost is counted.
      if (isSummary && part.type === "text") return
      hasWorked ||= part.type === "step-start" || isSettledCall(part)
    }
    if (event.type === "storage.damaged") view.notice(damageNotice(event.properties.problems.length, host))
    if (isAnswer(event)) runtime.follow()
    // The stop may have been requested just before the run began.
    if (event.type === "session.status" && event.properties.status.type === "busy" && stop.signal.aborted) abort()
    view.handle(event)
  })
  return {
    totals: () => totals,
    refusal: () => (questions ? undefined : refusals.first()),
    hasWorked: () => hasWorked,
    hasStored: () => hasStored,
    model: () => answering,
    end() {
      unsubscribe()
      stop.signal.removeEventListener("abort", onStop)
    },
  }
}

function isSettledCall(part: Part): boolean {
  return part.type === "tool" && (part.state.status === "completed" || part.state.status === "error")
}

function answeringModel({ type, properties }: EngineEvent, summaries: Summaries): AnsweringModel | undefined {
  if (type !== "message.updated" || properties.info.role !== "assistant") return undefined
  const { id, providerID, modelID, variant } = properties.info
  return summaries.has(id) ? undefined : { ref: { providerID, modelID }, variant }
}

/** Returns true for an event of an answer. The request was sent, so other work delays nothing. */
function isAnswer(event: EngineEvent): boolean {
  if (event.type === "message.part.delta") return true
  return event.type === "message.part.updated" && ["tool", "step-finish"].includes(event.properties.part.type)
}

function damageNotice(count: number, { program }: Host): string {
  const what = plural(count, "stored record")
  return `${what} of this session cannot be read, left out here; which ones: ${program} storage verify`
}
