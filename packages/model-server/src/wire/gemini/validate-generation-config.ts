import { isObject, show } from "../../json-object.ts"
import { isAbsent, unknownKey, type Problem } from "../problem.ts"
import { between, flag, oneOf, texts, validateSettings, whole, type Setting } from "../settings.ts"

const settings: Readonly<Record<string, Setting>> = {
  temperature: between(0, 2),
  topP: between(0, 1),
  topK: whole(1),
  candidateCount: whole(1, 8),
  maxOutputTokens: whole(1),
  stopSequences: texts(5, (text) => text !== ""),
  seed: { isValid: (value) => Number.isInteger(value), form: "a whole number" },
  presencePenalty: between(-2, 2),
  frequencyPenalty: between(-2, 2),
  responseMimeType: oneOf("text/plain", "application/json", "text/x.enum"),
  responseLogprobs: flag,
  logprobs: whole(0, 20),
  audioTimestamp: flag,
}

const keys: ReadonlySet<string> = new Set([
  ...Object.keys(settings),
  ...["responseSchema", "responseJsonSchema", "responseModalities", "thinkingConfig", "mediaResolution"],
  ...["imageConfig", "speechConfig"],
])

/** Returns the first problem in the settings of an answer. */
export function validateGenerationConfig(config: unknown): Problem {
  const place = "generationConfig"
  if (isAbsent(config)) return undefined
  if (!isObject(config)) return `${place}: must be an object, got ${show(config)}.`
  const problem =
    unknownKey(config, keys, place) ??
    validateSettings(config, settings, place) ??
    validateThinking(config.thinkingConfig)
  if (problem !== undefined) return problem
  const { responseSchema, responseJsonSchema, responseMimeType } = config
  if (isAbsent(responseSchema) && isAbsent(responseJsonSchema)) return undefined
  if (!isAbsent(responseSchema) && !isAbsent(responseJsonSchema)) {
    return `${place}: has both "responseSchema" and "responseJsonSchema", give one of them.`
  }
  if (responseMimeType === "application/json" || responseMimeType === "text/x.enum") return undefined
  return `${place}.responseMimeType: a schema needs "application/json".`
}

const thinkingSettings: Readonly<Record<string, Setting>> = {
  includeThoughts: flag,
  thinkingBudget: whole(-1, 32_768),
  thinkingLevel: oneOf("minimal", "low", "medium", "high", "MINIMAL", "LOW", "MEDIUM", "HIGH"),
}

function validateThinking(thinking: unknown): Problem {
  const place = "generationConfig.thinkingConfig"
  if (isAbsent(thinking)) return undefined
  if (!isObject(thinking)) return `${place}: must be an object, got ${show(thinking)}.`
  const problem =
    unknownKey(thinking, new Set(Object.keys(thinkingSettings)), place) ??
    validateSettings(thinking, thinkingSettings, place)
  if (problem !== undefined || isAbsent(thinking.thinkingBudget) || isAbsent(thinking.thinkingLevel)) return problem
  return `${place}: has both "thinkingBudget" and "thinkingLevel", give one of them.`
}
