import { show } from "../json-object.ts"
import { firstProblem, isAbsent, type Problem } from "./problem.ts"

/** The values that a setting of a request allows. */
export interface Setting {
  readonly isValid: (value: unknown) => boolean
  /** Completes the sentence "must be …". */
  readonly form: string
}

/** Returns the first problem among the known settings. A setting may be absent or null. */
export function validateSettings(
  object: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, Setting>>,
  place = "",
): Problem {
  return firstProblem(Object.entries(settings), ([name, { isValid, form }]) => {
    const value = object[name]
    if (isAbsent(value) || isValid(value)) return undefined
    return `${place === "" ? name : `${place}.${name}`}: must be ${form}, got ${show(value)}.`
  })
}

export const flag: Setting = { isValid: (value) => typeof value === "boolean", form: "a boolean" }

export const text: Setting = { isValid: (value) => typeof value === "string", form: "a string" }

/** A number within inclusive bounds. */
export function between(least: number, most: number): Setting {
  return {
    isValid: (value) => typeof value === "number" && value >= least && value <= most,
    form: `a number from ${least} to ${most}`,
  }
}

/** A whole number within inclusive bounds. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Setting {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`
  return {
    isValid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    form: `a whole number ${bounds}`,
  }
}

export function oneOf(...words: readonly string[]): Setting {
  return { isValid: (value) => words.some((word) => word === value), form: `one of ${words.join(", ")}` }
}

/** A list of at most `most` strings. */
export function texts(most: number, isText: (text: string) => boolean = () => true): Setting {
  return {
    isValid: (value) =>
      Array.isArray(value) &&
      value.length <= most &&
      value.every((element) => typeof element === "string" && isText(element)),
    form: `an array of up to ${most} strings`,
  }
}
