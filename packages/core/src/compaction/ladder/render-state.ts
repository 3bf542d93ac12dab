import type { Agent } from "../../agents/agent.ts"
import type { JSONObject, JSONValue } from "../../base/json.ts"
import type { ModelRef, Session } from "../../record/message.ts"
import type { Instruction } from "../../contracts/workspace.ts"
import { renderNested } from "../../workspace/render-instructions.ts"
import { allot } from "../../facts/allot.ts"
import { ledgerTokens, renderLedger } from "../../facts/render-ledger.ts"
import { ends } from "./earlier-requests.ts"
import { cut, fittedLines, type LineBudget, missing } from "./fitted-lines.ts"
import type { OpenRequest, State } from "./state.ts"

/** A text for the model, and its source value. */
export interface StateText {
  readonly kind: "requests" | "asked" | "pins" | "todos" | "instructions" | "ledger" | "agent"
  readonly text: string
  readonly value?: JSONValue
  /** Number of requests of the user that are missing in the value. */
  readonly missing?: number
  /** Instruction files in the text. */
  readonly loaded?: readonly string[]
}

export interface Surroundings extends LineBudget {
  /** Maximum characters of the open requests, which are not part of the budget. Default: unlimited */
  readonly longestRequest?: number | undefined
  readonly agent: Agent
  readonly model: ModelRef
  readonly session: Session
  /** Nested instruction files that were loaded before, with their present contents. */
  readonly instructions: readonly Instruction[]
}

/** A section of the state beside the summary, within its part of the budget. */
interface Section {
  /** Guaranteed part of the budget. */
  readonly share: number
  /** Tokens of the complete section. */
  readonly wanted: number
  readonly render: (budget: number) => StateText | undefined
}

/**
 * Returns the texts of the state, in the order in which the model reads them. All texts except the open requests fit
 * into the budget: the rest is cut or counted, and the text says how to find it. The sections' values stay complete.
 */
export function renderState(state: State, around: Surroundings): StateText[] {
  const { agent, model, session, budget, tokensOf } = around
  const intro: StateText = {
    kind: "agent",
    text: `The conversation before this point was replaced by the summary above. You are still the agent "${agent.name}" on ${model.providerID}/${model.modelID}, in ${session.directory}.`,
    value: state.through,
  }
  // In the order of importance: the rest of the budget goes to the first sections that need it.
  const pins = pinSection(around)
  const ledger = ledgerSection(state, around)
  const todos = todoSection(state, around)
  const instructions = instructionSection(around)
  const requestList = askedSection(state, around)
  const sections = [pins, ledger, todos, requestList, instructions]
  const budgets = allot(budget - tokensOf(intro.text), sections)
  const texts = new Map(sections.map((each, at) => [each, each.render(budgets[at] ?? 0)]))
  const ordered = [requestList, pins, todos, instructions, ledger].flatMap((each) => texts.get(each) ?? [])
  const { requests } = state
  const open: StateText[] =
    requests.length > 0
      ? [{ kind: "requests", text: requestText(requests, around.longestRequest), value: requests }]
      : []
  return [intro, ...ordered, ...open]
}

/** Tokens of an empty text: its role and its frame. */
const FRAME_TOKENS = 5

function section(share: number, text: string, { tokensOf }: LineBudget, render: Section["render"]): Section {
  return { share, wanted: text === "" ? 0 : tokensOf(text) + FRAME_TOKENS, render }
}

function pinSection(around: Surroundings): Section {
  const pins = (around.session.pins ?? []).map(({ text }) => text)
  const title = "Pinned notes of the user"
  return section(0.25, pins.length > 0 ? list(title, pins) : "", around, (budget) => {
    const text = fittedList(title, pins, { ...around, budget })
    return text === "" ? undefined : { kind: "pins", text }
  })
}

/** Part of the budget for facts other than the modified paths, and their maximum tokens. */
const FACT_SHARE = 0.2
const MAX_FACT_TOKENS = 4000

function ledgerSection({ ledger }: State, { session, tokensOf, budget }: Surroundings): Section {
  // Facts other than modified paths have their own part of the whole budget.
  const options = { directory: session.directory, tokensOf, budget: Math.min(MAX_FACT_TOKENS, budget * FACT_SHARE) }
  const title = "Facts kept by the machine:\n"
  return {
    share: 0.35,
    wanted: ledgerTokens(ledger, options) + tokensOf(title) + FRAME_TOKENS,
    render(part) {
      const facts = renderLedger(ledger, { ...options, limit: part - tokensOf(title) - FRAME_TOKENS })
      // The value is stored even if the text shows nothing of it.
      const text = facts ?? "more than is shown here: search for it with the tool recall"
      const isEmpty = Object.values(ledger).every((entries: readonly unknown[]) => entries.length === 0)
      return isEmpty ? undefined : { kind: "ledger", text: `${title}${text}`, value: ledger as never }
    },
  }
}

function todoSection({ todos }: State, around: Surroundings): Section {
  const lines = todos.map((todo) => todoLine(todo))
  const title = "Todo list"
  return section(0.1, lines.length > 0 ? list(title, lines) : "", around, (budget) => {
    if (lines.length === 0) return undefined
    const isWhole = around.tokensOf(list(title, lines)) <= budget
    const open = isWhole ? lines : lines.filter((_, at) => !isDone(todos[at] ?? {}))
    const finished = lines.length - open.length
    const shownTitle = finished > 0 ? `${title} (${finished} finished tasks not shown)` : title
    return { kind: "todos", text: fittedList(shownTitle, open, { ...around, budget }) || shownTitle, value: todos }
  })
}

function instructionSection(around: Surroundings): Section {
  const { instructions, tokensOf } = around
  return section(0.1, instructions.length > 0 ? renderNested(instructions) : "", around, (budget) => {
    // A cut file counts as loaded: else each visit to its directory would load the whole file again.
    const loaded = instructions.map(({ path }) => path)
    const frame = tokensOf(renderNested(instructions.map(({ path }) => ({ path, text: "" })))) + FRAME_TOKENS
    const room = Math.max(0, budget - frame)
    const parts = allot(
      room,
      instructions.map(({ text }) => ({ wanted: tokensOf(text), share: 1 / instructions.length })),
    )
    const fitted = instructions.map(({ path, text }, at) => ({ path, text: cutFile(text, parts[at] ?? 0, around) }))
    if (fitted.length === 0) return undefined
    const text = renderNested(fitted)
    if (tokensOf(text) <= budget) return { kind: "instructions", text, loaded }
    return {
      kind: "instructions",
      text: cut(list("Instruction files to read again", loaded), budget, tokensOf),
      loaded,
    }
  })
}

const FILE_CUT = "\n(The file goes on: read it before you work in its directory.)"

function cutFile(text: string, tokens: number, { tokensOf }: LineBudget): string {
  if (tokensOf(text) <= tokens) return text
  const room = tokens - tokensOf(FILE_CUT)
  return `${room > 0 ? cut(text, room, tokensOf) : ""}${FILE_CUT}`
}

function askedSection({ asked, missingRequests }: State, around: Surroundings): Section {
  const { tokensOf } = around
  const title = "What the user said so far, oldest first, shortened. Some of these requests may already be done"
  const sizeOf = (line: string) => tokensOf(`- ${line}\n`)
  const render = (budget: number) => {
    if (missingRequests === 0 && tokensOf(list(title, asked)) <= budget) return list(title, asked)
    const [oldest, newest] = ends(
      asked,
      budget - tokensOf(`${title}:\n${missing(asked.length)}`) - FRAME_TOKENS,
      sizeOf,
    )
    const count = missingRequests + asked.length - oldest.length - newest.length
    return list(title, [...oldest, ...(count > 0 ? [missing(count)] : []), ...newest])
  }
  return section(0.2, asked.length > 0 ? render(Infinity) : "", around, (budget) => {
    if (asked.length === 0) return undefined
    return {
      kind: "asked",
      text: render(budget),
      value: asked,
      ...(missingRequests > 0 ? { missing: missingRequests } : {}),
    }
  })
}

/** Returns the list within the budget. Empty if not even a count fits. */
function fittedList(title: string, lines: readonly string[], { budget, tokensOf }: LineBudget): string {
  const whole = list(title, lines)
  if (tokensOf(whole) <= budget) return whole
  const room = budget - tokensOf(`${title}:\n`) - FRAME_TOKENS
  const shown = fittedLines(lines, { budget: room, tokensOf })
  return shown.length > 0 ? list(title, shown) : ""
}

/** Returns the open requests. Cuts the middle if they are too long. */
function requestText(requests: readonly OpenRequest[], longest = Infinity): string {
  const text = requests.map((request) => request.text).join("\n\n")
  if (text.length <= longest) return `The user's request that you are working on, word for word:\n${text}`
  const half = Math.floor(longest / 2)
  const ends = `${text.slice(0, half).toWellFormed()}\n[… ${text.length - 2 * half} characters are left out: read them with the tool recall …]\n${text.slice(-half).toWellFormed()}`
  return `The user's request that you are working on, shortened because it does not fit:\n${ends}`
}

function list(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`
}

function todoLine({ status, content }: JSONObject): string {
  return `[${typeof status === "string" ? status : "pending"}] ${typeof content === "string" ? content : ""}`
}

function isDone({ status }: JSONObject): boolean {
  return status === "completed" || status === "cancelled"
}
