import { createAnswerJudge } from "./answers.ts"
import { describeCall } from "./call-key.ts"
import { type LoopTraits } from "../contracts/tool.ts"
import { type CallJudge, createCallJudge } from "./calls.ts"
import type { Repetition } from "./repetition.ts"
import { type RepetitionResponse, type RepetitionSettings, respondTo } from "./response.ts"
import { requestedTimes } from "./requested-times.ts"
import { createTextWatch } from "./text.ts"
import { createCallsOfTurn } from "./turn-calls.ts"
import { RepetitionError } from "../base/errors.ts"
import type { MessageID } from "../base/ids.ts"
import { lazy } from "../base/lazy.ts"
import type { JSONObject } from "../base/json.ts"
import type { MessageWithParts } from "../record/message.ts"

/** Stops a run from repeating itself. Use one for each run. */
export interface RepetitionGuard {
  /** Reads the stored turn. Call it before each step, and before messages are cut. */
  onHistory(messages: readonly MessageWithParts[]): void
  /** Returns the response to an answer that was repeated too often, if any. */
  beforePrompt(): Exclude<RepetitionResponse, { type: "ask" }>
  /**
   * Returns the response to a call that is about to run, which counts from now on. If the user is asked, `allow`
   * records the permission. `unasked`: the response if a rule denies the call, so that no answer could let it run.
   */
  onCall(
    tool: string,
    args: JSONObject,
    reply: MessageID,
  ): {
    readonly response: RepetitionResponse
    readonly unasked: Exclude<RepetitionResponse, { type: "ask" }>
    readonly key: string
    readonly allow: () => void
  }
  /** Watches one text while it streams. `append` throws RepetitionError once the text repeats itself. */
  onText(): { append(delta: string): void }
}

export interface GuardOptions {
  readonly settings: RepetitionSettings
  readonly canAsk: boolean
  readonly traitsOf: (tool: string) => LoopTraits | undefined
}

export function createRepetitionGuard({ settings, canAsk, traitsOf }: GuardOptions): RepetitionGuard {
  const callsOfTurn = createCallsOfTurn(traitsOf)
  const judgeAnswers = createAnswerJudge()
  const allowed = new Map<string, number>()
  /** Kinds of repetition that the model was notified of. */
  const notified = new Set<Repetition["kind"]>()
  let judgeCall: CallJudge = createCallJudge([])
  let requested = () => 0
  let repeated: Repetition | undefined

  /**
   * Returns the response to a finished text. The user is not asked about it: the model is notified once, unless the run
   * is to end immediately.
   */
  function respondToText(repetition: Repetition | undefined): Exclude<RepetitionResponse, { type: "ask" }> {
    const { response = "ask" } = settings
    const nudged = repetition !== undefined && notified.has(repetition.kind)
    if (repetition) notified.add(repetition.kind)
    return respondTo(
      repetition,
      { response: response === "ask" ? "nudge" : response },
      { canAsk: false, nudged },
    ) as never
  }

  return {
    onHistory(messages) {
      judgeCall = createCallJudge(callsOfTurn(messages))
      requested = lazy(() => requestedTimes(messages))
      // The model has not answered the last nudge yet, so the same repetition does not count again.
      repeated = hasNudge(messages) ? undefined : judgeAnswers(messages)
    },
    beforePrompt: () => respondToText(repeated),
    onCall(tool, args, reply) {
      const next = { ...describeCall(tool, args, traitsOf(tool)), reply }
      const verdict = judgeCall(next, requested)
      const repetition = verdict.type === "repeats" ? verdict.repetition : undefined
      // Sorted, because the next call of the same rotation has the same block, shifted by one call.
      const block =
        repetition?.block
          .map((call) => `${call.tool} ${call.key}`)
          .toSorted()
          .join("\n") ?? ""
      const situation = { canAsk, nudged: repetition?.nudged ?? false, allowed: allowed.get(block) ?? 0 }
      return {
        response: respondTo(repetition, settings, situation),
        unasked: respondTo(repetition, settings, { ...situation, canAsk: false }) as never,
        key: next.key,
        allow: () => void allowed.set(block, repetition?.times ?? 0),
      }
    },
    onText() {
      const watch = createTextWatch()
      let isOver = false
      return {
        append(delta) {
          const found = isOver ? undefined : watch.append(delta)
          if (!found) return
          isOver = true
          const response = respondToText(found)
          if (response.type !== "run") throw new RepetitionError(response.message, response.type)
        },
      }
    },
  }
}

/** Returns whether the newest message tells the model that it repeats itself. */
function hasNudge(messages: readonly MessageWithParts[]): boolean {
  return messages.at(-1)?.parts.some((part) => part.type === "text" && part.metadata?.["nudge"] === true) === true
}
