import type { Choice } from "@pawl/core/record"
import type { Host } from "../host.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { choiceLines, parseChoice } from "../run/choice-question.ts"
import { readAnswer } from "../run/prompt-line.ts"
import type { Stop } from "../run/stop.ts"
import { canAsk } from "../session/confirm.ts"

export type AskHere = (questions: readonly Choice[]) => Promise<readonly (readonly string[])[]>

/**
 * Returns a function that asks a server's questions at this terminal; undefined if there is no terminal. Rejects if the
 * user aborts.
 */
export function askHere(host: Pick<Host, "stdin" | "stderr" | "environment">, stop: Stop): AskHere | undefined {
  if (!canAsk(host)) return undefined
  const { stderr, environment } = host
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  return async (questions) => {
    const answers: (readonly string[])[] = []
    for (const [at, choice] of questions.entries()) {
      const position = { number: at + 1, total: questions.length }
      const lines = choiceLines(
        choice,
        position,
        { subagent: undefined, input: undefined },
        { columns: stderr.columns, theme },
      )
      stderr.write(`${lines.join("\n")}\n`)
      const prompt = theme.strong("answer: ")
      const typed = await readAnswer({ host, stop, signal: stop.signal, prompt }, (text) => parseChoice(text, choice))
      if (typed.type === "closed") throw new Error("The input ended before the question was answered.")
      answers.push(typed.type === "answer" ? typed.answer : [])
    }
    return answers
  }
}
