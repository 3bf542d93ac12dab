import { calibrationOf } from "../context/tokens/calibration.ts"
import type { CompactionSettings } from "../context/tokens/compaction-settings.ts"
import type { Measure, Measurement } from "../context/tokens/measure.ts"
import { type OverflowPolicy, overflowPolicy } from "../context/tokens/overflow-policy.ts"
import { type ExpectedInput, lastUsage, preflight } from "../context/tokens/preflight.ts"
import type { PromptTraces } from "./cache-ledger.ts"
import { buildPrompt, type ContextDeps, type ContextInput, type Prompt } from "./context.ts"

export interface PreflightDeps extends ContextDeps {
  readonly measure: Measure
  readonly contextSettings: CompactionSettings
}

/** What the next request will hold, how large it is, and what the model takes. */
export interface Checked {
  readonly prompt: Prompt
  readonly size: Measurement
  readonly expected: ExpectedInput
  readonly policy: OverflowPolicy
}

/** Builds the prompt that would be sent now, and measures it. */
export async function checkPrompt(deps: PreflightDeps, input: ContextInput, traces?: PromptTraces): Promise<Checked> {
  const prompt = await buildPrompt(deps, input, traces)
  const { model, history } = input
  const size = deps.measure.request(prompt, model)
  const calibration = calibrationOf(history.messages, model.ref)
  const expected = preflight(size, calibration, lastUsage(history.messages, model.ref))
  return { prompt, size, expected, policy: overflowPolicy(model.info, model.ref, deps.contextSettings) }
}
