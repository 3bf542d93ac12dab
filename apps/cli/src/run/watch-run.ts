import { type EngineEvent, isStoredAgain, type ModelRef, type Part, type Session } from "@pawl/core"
import type { Host } from "../host.ts"
import { pluginNotice } from "../plugins/plugin-problems.ts"
import { plural } from "../render/quantity.ts"
import type { Family } from "./family.ts"
import { questionNotice } from "./question-notices.ts"
import type { Questions } from "./question.ts"
import { createRefusals, type Refusals } from "./refusals.ts"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"
import { createSummaries, type Summaries } from "./summaries.ts"
import { noTotals, type Totals, withPart, withSubagentPart } from "./totals.ts"
import type { Workshop } from "./workshop.ts"

export interface WatchOptions {
  readonly workshop: Pick<Workshop, "engine" | "follow">
  readonly view: RunView
  readonly stop: Stop
  readonly host: Host
  /** Absent where nobody here can be asked. */
  readonly questions: Questions | undefined
  /** Called with the session once it is known. */
  readonly know: (sessionID: string) => Family
}

/** The model that gave an answer, which a fallback may be, and how hard it thought. */
export interface AnsweringModel {
  readonly ref: ModelRef
  readonly variant: string | undefined
}

export interface WatchedRun {
  readonly totals: () => Totals
  /** Undefined where questions are asked here. */
  readonly refusal: () => ReturnType<Refusals["first"]>
  /** Whether a step was begun, or a call was settled that an earlier process left. */
  readonly hasWorked: () => boolean
  /** Whether anything of the session was stored by this run. */
  readonly hasStored: () => boolean
  /** Of the newest answer. */
  readonly model: () => AnsweringModel | undefined
  readonly end: () => void
}

/** Shows and counts what happens in a session, and ends its run when it is to stop. */
export function watchRun({ workshop, view, stop, host, questions, know }: WatchOptions, session: Session): WatchedRun {
  const { engine } = workshop
  let totals = noTotals
  let hasWorked = false
  let hasStored = false
  let answering: AnsweringModel | undefined
  const family = know(session.id)
  const refusals = createRefusals()
  const notices = {
    ...{ program: host.program, family, isAskedHere: questions !== undefined },
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
    const told = pluginNotice(event)
    if (told !== undefined) return view.notice(told)
    if (event.type === "message.part.updated" && isStoredAgain(event.properties.part)) return
    const { sessionID } = "sessionID" in event.properties ? event.properties : {}
    if (sessionID === undefined) return
    family.follow(event)
    const notice = view.isForPeople ? questionNotice(event, notices) : undefined
    if (notice !== undefined) view.notice(notice)
    const subagent = family.subagentOf(sessionID)
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
      // It is written for the model. What it cost is counted all the same.
      if (isSummary && part.type === "text") return
      hasWorked ||= part.type === "step-start" || isSettledCall(part)
    }
    if (event.type === "storage.damaged") view.notice(damageNotice(event.properties.problems.length, host))
    if (isAnswer(event)) workshop.follow()
    // The wish to stop may have come just before there was anything to stop.
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

/** The request has left: what is done now delays nothing. */
function isAnswer(event: EngineEvent): boolean {
  if (event.type === "message.part.delta") return true
  return event.type === "message.part.updated" && ["tool", "step-finish"].includes(event.properties.part.type)
}

function damageNotice(count: number, { program }: Host): string {
  const what = plural(count, "stored record")
  return `${what} of this session cannot be read, left out here; which ones: ${program} storage verify`
}
