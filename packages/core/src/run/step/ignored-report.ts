import { isConsiderable, type Judgement, type ReportProblem } from "../../measure/judge-report.ts"
import type { Calibration } from "../../measure/calibration.ts"
import type { EventBus } from "../../contracts/events.ts"
import type { SessionID } from "../../base/ids.ts"
import { modelName, type ModelRef } from "../../record/message.ts"

export interface IgnoredReport {
  readonly sessionID: SessionID
  readonly model: ModelRef
  readonly judgement: Judgement
  /** Bytes of the request's text. */
  readonly bytes: number
  /** Input tokens. */
  readonly reported: number
  readonly expected: number
  readonly learned: Pick<Calibration, "ignored">
}

/**
 * Returns whether the report was ignored and matters. Notifies users of the first such report of a model in a session.
 */
export function tellIgnored(bus: EventBus, report: IgnoredReport): boolean {
  const { sessionID, model, judgement, bytes, reported, expected, learned } = report
  if (judgement.type === "believed" || !isConsiderable(bytes)) return false
  if (!learned.ignored) {
    const about = `${reported} input tokens for a request of ${bytes} bytes, where about ${expected} were expected`
    const message = `${modelName(model)} reports ${about}: ${words[judgement.problem]} From now on such reports are ignored without a notice.`
    bus.publish("session.notice", { sessionID, message })
  }
  return true
}

const words: { readonly [P in ReportProblem]: string } = {
  missing: "the server does not report its input. Tokens and costs are estimated.",
  "too-few": "that is too few, maybe without those of its cache. Tokens and costs are estimated.",
  "too-many": "that is more than the text can have. Tokens and costs are estimated.",
  "not-growing":
    "the report does not grow with the conversation, so the server may cut requests silently. Tokens are estimated; check the model's limit.context.",
}
