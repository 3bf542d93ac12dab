import type { Engine, EngineEvent, EngineOptions, RunResult } from "@pawl/core"
import type { JSONObject, ToolPart } from "@pawl/core/record"
import type { Tool } from "@pawl/core/tool"
import { createCompareRequests, type PlayedRequest, recordedModels, type Recording, ROOT } from "@pawl/provider-replay"
import type { Difference, Verdict } from "./difference.ts"
import { withVendors } from "@pawl/provider-registry/with-vendors"
import { createNormalize } from "./normalize.ts"
import { openReplayEnvironment, perform } from "./play.ts"
import { createRecordedResults } from "./recorded-results.ts"
import { recordedDefinitions, recordedTools } from "./recorded-tools.ts"
import { endOf } from "./recorder.ts"
import { saidAfter, sayMeanwhile } from "./replay-deliveries.ts"
import { createSessionMap } from "./session-map.ts"

export interface RehearsalOptions {
  /** The factor for recorded waiting times: 1 for the recorded speed, 0 for no waiting. */
  readonly pace: number
  /** Parts of requests that are not compared. */
  readonly ignored: ReadonlySet<"system" | "tools">
  /** Live tools with their directory. Default: recorded results. */
  readonly live?: LiveTools
  readonly onEvent?: (event: EngineEvent, rootID: string) => void
  readonly onEnd?: (result: RunResult) => void
  readonly signal: AbortSignal
}

export interface LiveTools {
  /** Absolute. */
  readonly directory: string
  readonly options: Partial<EngineOptions> & { readonly tools: readonly Tool[] }
}

/** Ends of a turn that a replay reproduces. It does not reproduce aborts by the user or limits of time and cost. */
const REPEATED: ReadonlySet<string> = new Set([
  "answered",
  "empty",
  "failed",
  "refused",
  "compacted",
  "idle",
  "steps-spent",
])

/** Maximum number of differences, since later ones usually follow from the first. */
const MAX_DIFFERENCES = 100

/** Replays a recording and reports the differences in the engine's behavior. */
export async function rehearse(recording: Recording, options: RehearsalOptions): Promise<Verdict> {
  const { live, ignored, signal } = options
  const replayEnvironment = await openReplayEnvironment(live?.directory)
  try {
    const sessions = createSessionMap(recording)
    const { header, sessions: known } = recording
    const normalize = createNormalize({
      places: [
        [header.directory, "<directory>"],
        [header.worktree, "<worktree>"],
        [replayEnvironment.directory, "<directory>"],
      ],
      nameOf: (id) => sessions.nameOf(id) ?? known.find((each) => each.id === id)?.session,
      isShape: header.sanitized === "content",
    })
    const judge = createJudge(recording, normalize)
    const controls = { end: () => {}, say: (_after: number): unknown => undefined }
    const models = recordedModels(recording, {
      nameOf: (id) => sessions.nameOf(id),
      compare: createCompareRequests(normalize),
      // Recorded tools come from the recording itself. Plugins may have changed the system prompt in each request, but
      // the replay sets it only once for a session.
      aspects: {
        system: !ignored.has("system") && !header.plugins?.length,
        tools: live !== undefined && !ignored.has("tools"),
      },
      pace: options.pace,
      nextPrompt: () => judge.nextPrompt(),
      isOpenEnded: () => judge.isOpenEnded(),
      onRequest(request) {
        judge.request(request)
        const { reply, session, beside } = request
        if (!reply && judge.isOpenEnded()) controls.end()
        return reply && session === ROOT && !beside ? controls.say(reply.line) : undefined
      },
    })
    const results = createRecordedResults(recording.results, normalize)
    const { builtinTools } = await import("@pawl/tools")
    const tools =
      live?.options.tools ??
      recordedTools({
        ...{ definitions: recordedDefinitions(recording), sessions, delegates: "as recorded" },
        resultOf: (call) => results.take(call),
        missing: (tool) => `The recording has no result for this call of ${tool}.`,
        traits: builtinTools({ agents: [], asks: true }),
      })
    await perform({
      ...{ recording, replayEnvironment, sessions, providers: models.providers.map(withVendors), tools, signal },
      ...(live ? { options: live.options } : {}),
      onEvent(event, rootID) {
        judge.event(event, (id) => sessions.nameOf(id))
        options.onEvent?.(event, rootID)
      },
      onEnd(result, turn) {
        judge.end(result, turn)
        options.onEnd?.(result)
      },
      onBegin(engine: Engine, rootID) {
        controls.end = () => void engine.abort(rootID)
        controls.say = (after) => sayMeanwhile(engine, rootID, saidAfter(recording, after))
      },
    })
    if (!signal.aborted) judge.unplayed(models.unplayed().filter(({ beside }) => !beside))
    return judge.verdict()
  } finally {
    await replayEnvironment.close()
  }
}

type SettledPart = ToolPart & { readonly state: Extract<ToolPart["state"], { status: "completed" | "error" }> }

function isSettled(part: ToolPart): part is SettledPart {
  return part.state.status === "completed" || part.state.status === "error"
}

function createJudge(recording: Recording, normalize: (text: string) => string) {
  const differences: Difference[] = []
  const expected = createRecordedResults(recording.results, normalize)
  const seen = new Set<string>()
  const steps = new Map<string, number>()
  let counts = { steps: 0, calls: 0, compared: 0, requests: 0 }
  let turn = 0
  let answer = ""

  function add(difference: Difference): void {
    if (differences.length < MAX_DIFFERENCES) differences.push(difference)
  }

  function compare(found: Omit<Difference, "expected" | "got">, was: string | undefined, is: string | undefined): void {
    if (normalize(was ?? "") !== normalize(is ?? "")) add({ ...found, expected: was, got: is })
  }

  function onCall(part: SettledPart, session: string): void {
    counts = { ...counts, calls: counts.calls + 1 }
    const { callID: call, tool, state } = part
    const result = expected.take({ session, call, tool, input: state.input as JSONObject })
    const place = `call of ${tool}`
    const step = steps.get(session)
    const about = { session, place, ...(step === undefined ? {} : { step }) }
    if (!result) {
      // The process may have ended before it recorded the result.
      if (!isOpenEnded()) add({ ...about, kind: "result", expected: undefined, got: textOf(state) })
      return
    }
    const { outcome, line } = result
    const was = outcome.status === "completed" ? outcome.output : `error: ${outcome.error}`
    compare({ ...about, kind: "result", line, place: `result of ${tool}` }, was, textOf(state))
  }

  function isOpenEnded(): boolean {
    const end = recording.ends[turn]
    return end === undefined || !REPEATED.has(end.type)
  }

  // Limits the replies to those before the next prompt, unless the recording has no reply of this session between the
  // two prompts.
  function nextPrompt(): number | undefined {
    const [from = 0, to] = [recording.prompts[turn]?.line, recording.prompts[turn + 1]?.line]
    if (to === undefined) return undefined
    return recording.replies.some(({ session, line }) => session === ROOT && line > from && line < to) ? to : undefined
  }

  return {
    isOpenEnded,
    nextPrompt,
    request({ session, step, beside, reply, difference, isCompared }: PlayedRequest) {
      if (reply) counts = { ...counts, requests: counts.requests + 1, compared: counts.compared + (isCompared ? 1 : 0) }
      if (!beside) steps.set(session, step)
      if (!reply) {
        if (!isOpenEnded() && !beside) {
          add({ kind: "missing", session, step, place: "a request that the recording has not" })
        }
        return
      }
      if (!beside) counts = { ...counts, steps: counts.steps + 1 }
      const { line } = reply
      const where = beside ? { session, line } : { session, step, line }
      if (difference) add({ kind: "request", ...where, ...difference })
    },
    event(event: EngineEvent, nameOf: (sessionID: string) => string | undefined) {
      if (event.type !== "message.part.updated") return
      const { part } = event.properties
      if (part.type !== "tool" || !isSettled(part) || seen.has(part.id)) return
      seen.add(part.id)
      onCall(part, nameOf(part.sessionID) ?? part.sessionID)
    },
    end(result: RunResult, at: number) {
      const end = recording.ends[at]
      const got = endOf(result)
      answer = got.answer ?? ""
      if (end && !isOpenEnded()) {
        const about = { session: ROOT, line: end.line }
        compare({ ...about, kind: "end", place: "end of the turn" }, describeEnd(end), describeEnd(got))
        compare({ ...about, kind: "answer", place: "answer" }, end.answer, got.answer)
      }
      turn = at + 1
    },
    unplayed(replies: Recording["replies"]) {
      const [first] = replies
      if (!first) return
      const { session, line } = first
      const place =
        replies.length === 1 ? "a reply that nothing asked for" : `${replies.length} replies that nothing asked for`
      add({ kind: "unplayed", session, line, place })
    },
    verdict: (): Verdict => ({
      ...{ differences, ...counts, answer },
      isOpenEnded: recording.ends.length < Math.max(recording.prompts.length, 1) || recording.isCut,
    }),
  }
}

function textOf(state: SettledPart["state"]): string {
  return state.status === "completed" ? state.output : `error: ${state.error}`
}

function describeEnd({ type, error }: { readonly type: string; readonly error?: string | undefined }): string {
  return error === undefined ? type : `${type}: ${error}`
}
