import type { Call, Repetition } from "./repetition.ts"

export interface RepetitionSettings {
  /**
   * `ask`: the user decides; the same as `nudge` if no user can be asked. `nudge`: the model is told once, then the run
   * ends. `stop`: the run ends immediately. Default: `ask`
   */
  readonly response?: "ask" | "nudge" | "stop"
}

export interface RepetitionSituation {
  readonly canAsk: boolean
  /** True if the model was nudged about the same repetition in this turn. */
  readonly nudged: boolean
  /** Number of repetitions that the user has allowed. */
  readonly allowed?: number
}

export type RepetitionResponse =
  | { readonly type: "run" }
  /** `message`: the question. */
  | { readonly type: "ask"; readonly message: string }
  /** The model reads `message` instead of a result; the user reads `notice`. */
  | { readonly type: "nudge"; readonly message: string; readonly notice: string }
  /** `message`: the reason that the run ends. */
  | { readonly type: "stop"; readonly message: string }

/** Further repetitions until the user, who has allowed some, is asked again. */
const ASKED_AGAIN_AFTER = 3

/** Maximum characters of a quoted call or text. */
const MAX_QUOTED_LENGTH = 120

/** Decides the response to a repetition. Undefined: no repetition. */
export function respondTo(
  repetition: Repetition | undefined,
  { response = "ask" }: RepetitionSettings,
  { canAsk, nudged, allowed = 0 }: RepetitionSituation,
): RepetitionResponse {
  if (!repetition) return { type: "run" }
  if (allowed > 0 && repetition.times < allowed + ASKED_AGAIN_AFTER) return { type: "run" }
  const what = describe(repetition)
  if (response === "ask" && canAsk) return { type: "ask", message: `${what} Let it go on?` }
  if (response !== "stop" && !nudged) {
    return { type: "nudge", message: advice(repetition), notice: `${what} It was told to try something else.` }
  }
  const nudgeNote = nudged ? " It had been told to try something else." : ""
  const ways = ["send a message to go on", ...settingsFor(repetition, response)]
  return { type: "stop", message: `${what}${nudgeNote} The run was stopped; ${ways.join(", or ")}.` }
}

/** The user's own configuration is named, because a project's configuration only tightens permissions. */
const ALLOWING =
  'set the permission "doom_loop" to "allow" in your own configuration (not in the project\'s) to let such calls run'

/** Returns the settings that change the response. */
function settingsFor({ kind }: Repetition, response: RepetitionSettings["response"]): string[] {
  const allowing = kind === "calls" ? [ALLOWING] : []
  if (response === "stop") return [...allowing, 'set "repetition.response" to "nudge" to have the model told first']
  return kind === "calls"
    ? allowing
    : ['set "repetition.response" to "stop" to end such a run without telling the model']
}

/** Describes the repetition for the user. */
function describe(repetition: Repetition): string {
  const { times } = repetition
  switch (repetition.kind) {
    case "calls":
      return `The model is about to repeat ${named(repetition.block)} for the ${nth(times)} time${circumstance[repetition.reason]}.`
    case "text":
      return `The model has written the same text ${times} times in a row: ${quote(repetition.chunk)}.`
    case "answers":
      return `The model has given the same answer ${times} times: ${quote(repetition.text)}.`
  }
}

/** Returns the advice for the model. */
function advice(repetition: Repetition): string {
  const { times } = repetition
  switch (repetition.kind) {
    case "calls":
      return [
        `This call was not run: it would repeat ${named(repetition.block)} for the ${nth(times)} time in this turn${circumstance[repetition.reason]}.`,
        "Repeating it again will not help. Use the results you have, look at the problem from another side (other arguments, another tool, another file), or tell the user what keeps you from going on.",
        "If the same calls come again, the run ends.",
      ].join("\n")
    case "text":
      return `Your last answer was cut off because it repeated the same text ${times} times: ${quote(repetition.chunk)}. Go on without it, or end your answer.`
    case "answers":
      return `You have given the same answer ${times} times: ${quote(repetition.text)}. Do the next step, or tell the user what keeps you from it.`
  }
}

const circumstance = {
  unchanged: ", with the same results each time",
  changing: ", and no end is in sight",
  waiting: ", and what it waits for has not changed",
  "one-reply": " in a single answer",
}

/** Maximum number of named calls of a block. */
const MAX_CALLS_NAMED = 4

function named(block: readonly Call[]): string {
  const calls = block.slice(0, MAX_CALLS_NAMED).map(({ tool, key }) => `${tool} ${clipped(key)}`)
  const left = block.length - calls.length
  if (left > 0) return `the calls ${calls.join(", ")}, and ${left} more`
  return calls.length === 1 ? `the call ${calls.join()}` : `the calls ${calls.join(", then ")}`
}

function quote(text: string): string {
  return `"${clipped(text.replaceAll(/\s+/g, " ").trim())}"`
}

function clipped(text: string): string {
  return text.length <= MAX_QUOTED_LENGTH ? text : `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…`
}

function nth(number: number): string {
  const ending = [11, 12, 13].includes(number % 100) ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th")
  return `${number}${ending}`
}
