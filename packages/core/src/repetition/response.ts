import type { Call, Repetition } from "./repetition.ts"

export interface RepetitionSettings {
  /**
   * `ask`: a person decides; if no person can be asked, the same as `nudge`. `nudge`: the model is told once, then the run
   * ends. `stop`: the run ends at once. Default: `ask`
   */
  readonly response?: "ask" | "nudge" | "stop"
}

export interface RepetitionSituation {
  readonly canAsk: boolean
  /** The model has been told of the same repetition in this turn. */
  readonly nudged: boolean
  /** Repetitions that a person has allowed. */
  readonly allowed?: number
}

export type RepetitionResponse =
  | { readonly type: "run" }
  /** `message` is the question. */
  | { readonly type: "ask"; readonly message: string }
  /** The model reads `message` in place of a result; people read `notice`. */
  | { readonly type: "nudge"; readonly message: string; readonly notice: string }
  /** `message` is why the run ends. */
  | { readonly type: "stop"; readonly message: string }

/** Repetitions until a person who has allowed some is asked again. */
const ASKED_AGAIN_AFTER = 3

/** Characters of a call or a text that is quoted. */
const QUOTED = 120

/** What to do about a repetition; absent means there is none. */
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
  const told = nudged ? " It had been told to try something else." : ""
  const ways = ["send a message to go on", ...settingsFor(repetition, response)]
  return { type: "stop", message: `${what}${told} The run was stopped; ${ways.join(", or ")}.` }
}

/** A project's configuration only tightens what its user allows. */
const ALLOWING =
  'set the permission "doom_loop" to "allow" in your own configuration (not in the project\'s) to let such calls run'

/** The settings that change what was done about it. */
function settingsFor({ kind }: Repetition, response: RepetitionSettings["response"]): string[] {
  const allowing = kind === "calls" ? [ALLOWING] : []
  if (response === "stop") return [...allowing, 'set "repetition.response" to "nudge" to have the model told first']
  return kind === "calls"
    ? allowing
    : ['set "repetition.response" to "stop" to end such a run without telling the model']
}

/** For people. */
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

/** For the model. */
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

/** Calls of a block that are named. */
const CALLS_NAMED = 4

function named(block: readonly Call[]): string {
  const calls = block.slice(0, CALLS_NAMED).map(({ tool, key }) => `${tool} ${clipped(key)}`)
  const left = block.length - calls.length
  if (left > 0) return `the calls ${calls.join(", ")}, and ${left} more`
  return calls.length === 1 ? `the call ${calls.join()}` : `the calls ${calls.join(", then ")}`
}

function quote(text: string): string {
  return `"${clipped(text.replaceAll(/\s+/g, " ").trim())}"`
}

function clipped(text: string): string {
  return text.length <= QUOTED ? text : `${text.slice(0, QUOTED).toWellFormed()}…`
}

function nth(number: number): string {
  const ending = [11, 12, 13].includes(number % 100) ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th")
  return `${number}${ending}`
}
