import { compactCommand, compactionProblem, type EngineEvent, type RunResult } from "@pawl/core"
import { isStoredAgain, type SessionID } from "@pawl/core/record"
import type { Served } from "./serve-host.ts"
import { textOf } from "./shown-messages.ts"

export interface Prompted {
  readonly sessionID: SessionID
  /** The engine's result: `answered`, `failed`, `refused`, … */
  readonly outcome: RunResult["type"]
  /** The answer, or why there is no answer. */
  readonly text: string
  readonly isError: boolean
}

export interface PromptOptions {
  readonly sessionID: SessionID
  readonly text: string
  readonly agent?: string | undefined
  /** Aborts the run. */
  readonly signal: AbortSignal
  /** Called with a short description of each step, and every ten seconds while nothing else happens. */
  readonly onProgress: (message: string) => void
}

/** Interval of progress messages in milliseconds, for clients that would give up otherwise. */
const HEARTBEAT_MS = 10_000

/** Runs a prompt to its answer. */
export async function promptSession(
  { engine, model, agent: usual }: Served,
  options: PromptOptions,
): Promise<Prompted> {
  const { sessionID, text, agent = usual, signal, onProgress } = options
  const family = new Set<string>([sessionID])
  const follow = (event: EngineEvent) => {
    if (event.type === "session.created" && family.has(event.properties.info.parentID ?? "")) {
      family.add(event.properties.info.id)
    }
    if (event.type !== "message.part.updated" || !family.has(event.properties.part.sessionID)) return
    const { part } = event.properties
    if (isStoredAgain(part)) return
    if (part.type === "tool" && part.state.status === "completed") onProgress(`${part.tool}: ${part.state.title}`)
    if (part.type === "tool" && part.state.status === "error") onProgress(`${part.tool}: failed`)
    if (part.type === "step-start") onProgress("asking the model")
  }
  const unsubscribe = engine.subscribe(follow)
  const alive = setInterval(() => onProgress("at work"), HEARTBEAT_MS)
  const abort = () => void engine.abort(sessionID)
  signal.addEventListener("abort", abort, { once: true })
  try {
    const chosen = agent === undefined ? {} : { agent }
    const compaction = compactCommand(text)
    const work = compaction
      ? engine.compact(sessionID, { ...compaction, model })
      : engine.prompt({ sessionID, parts: [{ type: "text", text }], model, ...chosen })
    if (signal.aborted) abort()
    return compaction ? toCompacted(sessionID, await work) : toPrompted(sessionID, await work)
  } finally {
    unsubscribe()
    clearInterval(alive)
    signal.removeEventListener("abort", abort)
  }
}

function toCompacted(sessionID: SessionID, result: RunResult): Prompted {
  const problem = compactionProblem(result)
  const text = problem ?? "Older messages were replaced by a summary."
  return { sessionID, outcome: result.type, text, isError: problem !== undefined }
}

function toPrompted(sessionID: SessionID, result: RunResult): Prompted {
  const said = "answer" in result && result.answer ? textOf(result.answer.parts) : ""
  const done = { sessionID, outcome: result.type }
  switch (result.type) {
    case "answered":
      return { ...done, text: said, isError: false }
    case "empty":
      return { ...done, text: "(the model ended without a text)", isError: false }
    case "failed":
    case "refused":
      return {
        ...done,
        text: [said, result.error.data.message].filter((each) => each !== "").join("\n\n"),
        isError: true,
      }
    case "aborted":
      return { ...done, text: "The run was aborted. What was done is stored.", isError: true }
    default:
      return {
        ...done,
        text: `The run ended without an answer: ${result.type}. To continue, send another prompt to the session.`,
        isError: true,
      }
  }
}
