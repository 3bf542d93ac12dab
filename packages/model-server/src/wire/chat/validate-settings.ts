import { show } from "../../json-object.ts"

type Check = (value: unknown) => boolean

interface Setting {
  readonly isValid: Check
  /** For a sentence: "must be …". */
  readonly form: string
}

/** The first problem among the settings whose form is known. A setting that is absent or null is fine. */
export function validateSettings(body: Record<string, unknown>): string | undefined {
  for (const [name, { isValid, form }] of Object.entries(settings)) {
    const value = body[name]
    if (value === undefined || value === null || isValid(value)) continue
    return `${name}: must be ${form}, got ${show(value)}.`
  }
  const calls = body.parallel_tool_calls
  if (calls === undefined || calls === null || Array.isArray(body.tools)) return undefined
  return "parallel_tool_calls: allowed only together with tools."
}

const count: Setting = { isValid: isWhole(1), form: "a whole number of 1 or more" }
const flag: Setting = { isValid: (value) => typeof value === "boolean", form: "a boolean" }
const penalty: Setting = { isValid: isBetween(-2, 2), form: "a number from -2 to 2" }

const settings: Readonly<Record<string, Setting>> = {
  temperature: { isValid: isBetween(0, 2), form: "a number from 0 to 2" },
  top_p: { isValid: isBetween(0, 1), form: "a number from 0 to 1" },
  frequency_penalty: penalty,
  presence_penalty: penalty,
  max_tokens: count,
  max_completion_tokens: count,
  n: { isValid: isWhole(1, 128), form: "a whole number from 1 to 128" },
  seed: { isValid: (value) => Number.isInteger(value), form: "a whole number" },
  stop: { isValid: isStop, form: "a string or an array of 1 to 4 strings" },
  logprobs: flag,
  top_logprobs: { isValid: isWhole(0, 20), form: "a whole number from 0 to 20" },
  parallel_tool_calls: flag,
}

function isBetween(least: number, most: number): Check {
  return (value) => typeof value === "number" && value >= least && value <= most
}

function isWhole(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  return (value) => Number.isInteger(value) && isBetween(least, most)(value)
}

function isStop(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === "string"
  return value.length >= 1 && value.length <= 4 && value.every((text) => typeof text === "string")
}
