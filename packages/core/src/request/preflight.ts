import { canMakeRoom, type OverflowPolicy, overflowPolicy } from "../measure/overflow-policy.ts"
import { type Calibration, calibrationOf, defaultCalibration } from "../measure/calibration.ts"
import { type Measurement, totalBytes } from "../measure/measure.ts"
import { type ExpectedInput, type LastUsage, lastUsage, preflight } from "../measure/measured-request.ts"
import type { Model } from "../contracts/model.ts"
import type { PromptTraces } from "../cache/cache-monitor.ts"
import { buildPrompt, type Prompt, type RequestInput } from "./context.ts"
import type { RequestDeps } from "./request-deps.ts"

/** The prompt of the next request, its size, and the limits of the model. */
export interface Checked {
  readonly prompt: Prompt
  readonly size: Measurement
  readonly expected: ExpectedInput
  /** Tokens of the request, estimated from its text and media, without earlier counts of the provider. */
  readonly estimate: number
  readonly policy: OverflowPolicy
  /** Calibration with which the text is estimated. */
  readonly calibration: Calibration
  /** Calibration learned from the reports of the model. Usually the same as `calibration`. */
  readonly learned: Calibration
  readonly last: LastUsage | undefined
}

/** Builds the prompt of the next request, and measures it. */
export async function checkPrompt(deps: RequestDeps, input: RequestInput, traces?: PromptTraces): Promise<Checked> {
  const prompt = await buildPrompt(deps, input, traces)
  const { history } = input
  const { model } = input.context
  const size = deps.requests.measure.request(prompt, model)
  const policy = overflowPolicy(model.info, model.ref, deps.requests.contextSettings)
  const learned = calibrationOf(history.messages, model)
  const last = lastUsage(history.messages, model.ref)
  const calibration = believable(learned, model, size, policy.usable)
  const expected = preflight(size, calibration, calibration === learned ? last : undefined)
  const estimate = Math.ceil(totalBytes(size) / calibration.bytesPerToken + size.media)
  return { prompt, size, expected, estimate, policy, calibration, learned, last }
}

/**
 * Returns the learned calibration, unless it would end the session. If system prompt and tools do not fit by the
 * learned calibration, but fit by the default one, returns the default: only a refusal of the provider proves that they
 * do not fit.
 */
function believable(learned: Calibration, model: Model, { bytes }: Measurement, usable: number): Calibration {
  const usual = defaultCalibration(model)
  const fits = ({ bytesPerToken }: Calibration) => canMakeRoom((bytes.system + bytes.tools) / bytesPerToken, usable)
  return !fits(learned) && fits(usual) ? usual : learned
}
