import type { ModelInfo } from "@pawl/core/provider"

/** Detects reasoning models by name: the o series, and GPT-5 and later except for the chat models. */
export function isReasoning(modelID: string): boolean {
  if (/^o\d/.test(modelID)) return true
  const version = /^gpt-(\d+)/.exec(modelID)?.[1]
  return version !== undefined && Number(version) >= 5 && !modelID.includes("-chat")
}

/** The efforts a model takes, with a summary of what it thought. */
export function effortVariants(modelID: string): NonNullable<ModelInfo["variants"]> {
  return Object.fromEntries(
    effortsOf(modelID).map((effort) => [effort, { reasoningEffort: effort, reasoningSummary: "auto" }]),
  )
}

function effortsOf(modelID: string): readonly string[] {
  const [, major = 0, minor = 0] = /^gpt-(\d+)(?:\.(\d+))?/.exec(modelID)?.map(Number) ?? []
  const usual = ["low", "medium", "high"]
  if (/^gpt-6-(?:luna|sol)/.test(modelID)) return ["none", ...usual, "xhigh", "max"]
  if (major >= 6) return [...usual, "xhigh", "max"]
  if (major < 5 || modelID.includes("-pro") || modelID.includes("-codex")) return usual
  if (minor === 0) return ["minimal", ...usual]
  return minor === 1 ? ["none", ...usual] : ["none", ...usual, "xhigh"]
}
