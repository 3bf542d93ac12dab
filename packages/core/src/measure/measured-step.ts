import { type Calibration, doubted, type Measured, observe } from "./calibration.ts"
import type { Model } from "../contracts/model.ts"
import type { Judgement } from "./judge-report.ts"

export interface AnsweredRequest {
  readonly bytes: number
  readonly media: number
  /** Expected input tokens. */
  readonly estimate: number
  /** Input tokens as the provider reports them. */
  readonly reported: number
  readonly model: Pick<Model, "inputRules">
}

/**
 * Returns the record for a step: its request, the calibration after its report, and the judgement of the report.
 * `isCounted`: counts an ignored report among those that were worth a notice.
 */
export function measuredOf(
  previous: Calibration,
  { bytes, media, estimate, reported, model }: AnsweredRequest,
  judgement: Judgement,
  isCounted: boolean,
): Measured {
  const ignored = (previous.ignored ?? 0) + (isCounted ? 1 : 0)
  const { basis } = judgement
  return {
    ...lesson(previous, { bytes, media, estimate, observed: reported, model }, judgement),
    ...(judgement.type === "believed" ? { report: judgement.by } : { report: judgement.problem, reported }),
    ...(basis ? { basis } : {}),
    ...(ignored > 0 ? { ignored } : {}),
  }
}

function lesson(
  previous: Calibration,
  { model, ...step }: Parameters<typeof observe>[1] & Pick<AnsweredRequest, "model">,
  judgement: Judgement,
): Measured {
  if (judgement.type === "believed" && judgement.by === "size") return observe(previous, step)
  const { bytes, estimate } = step
  const isDoubtful = judgement.type === "ignored" && ["too-few", "too-many"].includes(judgement.problem)
  const { bytesPerToken, error, samples } = isDoubtful ? doubted(previous, model) : previous
  return { bytes, estimate, bytesPerToken, error, samples }
}
