import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { plainLine } from "@pawl/plain-text"
import { count, dollars, plural, wholeSeconds } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { columnsOf, clip } from "@pawl/terminal-text/width"
import { currentWait } from "../state/waits.ts"
import type { SessionView } from "../state/view.ts"

export interface StatusFacts {
  readonly view: SessionView
  /** Tokens of the model's window; 0 if unknown. */
  readonly window: number
  /** Epoch milliseconds. */
  readonly now: number
  /** A hint in place of the usual one, such as after the first Ctrl-C. */
  readonly hint: string | undefined
  /** Mode of the keys, such as `NORMAL`. Missing for keys without modes. */
  readonly mode?: string | undefined
  /** Running background commands. */
  readonly shells: number
}

/** Returns what a status command gets as JSON. */
export function statusFacts(
  { session, agent, model, variant, status, spending }: SessionView,
  window: number,
  directory: string,
) {
  const { cost, context, input, cached, output } = spending
  return {
    session: session && { id: session.id, title: session.title },
    ...{ directory, status, agent, model: model && formatModelRef(model), variant },
    tokens: { context, window, input, cached, output },
    cost,
  }
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
/** Milliseconds for which a frame of the spinner is shown. */
export const SPINNER_MS = 200
/** Columns of a label without which the hint behind it is left out. */
const MIN_LABEL_COLUMNS = 12

/** Shows what the session waits for and since when, from one second on. Empty if it waits for nothing. */
export function waitLines({ view, now, mode }: StatusFacts, columns: number, theme: Theme): string[] {
  if (view.status === "idle") return []
  const wait = currentWait(view)
  const frame = FRAMES[Math.floor(now / SPINNER_MS) % FRAMES.length] ?? ""
  const time = wait ? timeOf(wait, now) : timeOf({ since: view.busySince ?? now }, now)
  const escape = mode === "INSERT" ? "esc esc" : "esc"
  const text = plainLine(wait?.label ?? "working")
  const room = columns - 3 - columnsOf(time)
  const usual = view.questions.length > 0 ? "" : ` · ${escape} interrupts`
  const hint = columnsOf(text + usual) > room && room - columnsOf(usual) < MIN_LABEL_COLUMNS ? "" : usual
  const label = clip(text, room - columnsOf(hint))
  return [`${theme.accent(frame)} ${label}${theme.faint(time + hint)}`]
}

function usualHint({ questions, status }: SessionView): string {
  if (questions.length > 0) return "esc interrupts"
  return status === "busy" ? "enter steers · alt+enter queues" : "/help"
}

function timeOf({ since, until }: { readonly since: number; readonly until?: number }, now: number): string {
  if (until !== undefined) return ` · next try in ${wholeSeconds(Math.max(0, Math.ceil((until - now) / 1000)))}`
  const seconds = Math.floor((now - since) / 1000)
  return seconds >= 1 ? ` · ${wholeSeconds(seconds)}` : ""
}

/** Shows the agent, the model, the share of the window that is used, and the cost. */
export function statusLine(
  { view, window, hint, shells, mode = "" }: StatusFacts,
  columns: number,
  theme: Theme,
): string {
  const { agent, model, variant, spending } = view
  const share =
    spending.context === 0
      ? ""
      : window > 0
        ? `${Math.round((100 * spending.context) / window)}% of ${count(window)}`
        : `${count(spending.context)} tokens`
  const cached =
    spending.input > 0 && spending.cached > 0 ? `${Math.round((100 * spending.cached) / spending.input)}% cached` : ""
  const facts = [
    mode,
    plainLine(agent ?? ""),
    plainLine([model ? formatModelRef(model) : "", variant === "default" ? "" : (variant ?? "")].join(" ").trim()),
    ...[share, cached, spending.cost > 0 ? dollars(spending.cost) : ""],
    shells > 0 ? plural(shells, "shell") : "",
  ].filter((fact) => fact !== "")
  const right = hint ?? usualHint(view)
  const room = columns - 1 - columnsOf(right)
  const left = clip(facts.join(" · "), room > 20 ? room - 1 : columns - 1)
  if (room <= 20) return theme.faint(hint === undefined ? left : clip(right, columns - 1))
  return (
    theme.faint(`${left}${" ".repeat(room - columnsOf(left))}`) +
    (hint === undefined ? theme.faint(right) : theme.warn(right))
  )
}
