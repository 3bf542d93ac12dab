import type { Host } from "../host.ts"
import { readAnswer } from "../run/prompt-line.ts"
import type { Stop } from "../run/stop.ts"
import { canAsk } from "../session/confirm.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { readHidden } from "./read-hidden.ts"

export interface Option<T> {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: T
}

/** The user at this terminal. Each question rejects if it is aborted. */
export interface Prompter {
  /** Until an answer passes: `problem` says what is wrong with one. */
  text(question: string, problem: (answer: string) => string | undefined): Promise<string>
  /** The same, and nothing of what is typed is shown. */
  hidden(question: string, problem: (answer: string) => string | undefined): Promise<string>
  choice<T>(question: string, options: readonly Option<T>[]): Promise<T>
}

/** Thrown if the user aborts a question or closes the terminal. */
export class SignInCanceledError extends Error {
  override readonly name = "SignInCanceledError"
}

/** Returns the user at this terminal. Undefined without a terminal. */
export function terminalPrompter(
  host: Pick<Host, "stdin" | "stderr" | "environment">,
  stop: Stop,
): Prompter | undefined {
  if (!canAsk(host)) return undefined
  const { stderr, environment } = host
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const say = (text: string) => stderr.write(`${plainLine(text)}\n`)

  async function answered<T>(prompt: string, parse: (typed: string) => T | undefined): Promise<T> {
    const options = { host, stop, prompt: theme.strong(prompt), signal: stop.signal }
    const typed = await readAnswer(options, parse)
    if (typed.type === "answer") return typed.answer
    throw new SignInCanceledError("The sign-in was canceled.")
  }

  const checked = (problem: (answer: string) => string | undefined) => (typed: string) => {
    const wrong = problem(typed)
    if (wrong === undefined) return typed
    say(wrong)
    return undefined
  }

  return {
    text: (question, problem) => answered(`${plainLine(question)}: `, checked(problem)),
    async hidden(question, problem) {
      for (;;) {
        const typed = await readHidden(`${plainLine(question)}: `, host, stop)
        if (typed === undefined) throw new SignInCanceledError("The sign-in was canceled.")
        const answer = checked(problem)(typed)
        if (answer !== undefined) return answer
      }
    },
    async choice(question, options) {
      say(question)
      for (const [at, { label, hint }] of options.entries()) {
        stderr.write(`  ${at + 1}  ${plainLine(hint === undefined ? label : `${label} (${hint})`)}\n`)
      }
      const chosen = await answered(`1-${options.length}: `, (typed) => {
        const option = options[Number(typed) - 1]
        if (!option) say(`A number from 1 to ${options.length}, please.`)
        return option
      })
      return chosen.value
    },
  }
}
