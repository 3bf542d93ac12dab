import type { AskChoice, AskPermission, EngineEvent, PermissionRequest } from "@pawl/core"
import type { Theme } from "../render/theme.ts"
import type { Host } from "../host.ts"
import { choiceLines, parseChoice } from "./choice-question.ts"
import type { Family } from "./family.ts"
import { type AskingCall, parsePermission, permissionLines, type QuestionPaper } from "./permission-question.ts"
import { readAnswer } from "./prompt-line.ts"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"
import { dropTypedAhead } from "./typed-ahead.ts"

export interface QuestionOptions {
  readonly host: Pick<Host, "stdin" | "stderr">
  readonly theme: Theme
  readonly view: Pick<RunView, "ask">
  readonly stop: Pick<Stop, "interrupt">
  /** Whose calls they are; absent: all are the session's own. */
  readonly family?: () => Pick<Family, "subagentOf"> | undefined
  /** Which rule wants something asked, where that says something. */
  readonly because?: (request: PermissionRequest) => Promise<string | undefined>
}

/** Asks at the terminal, one question after the other. */
export interface Questions {
  readonly ask: AskPermission
  readonly askChoice: AskChoice
  /** Learns what the calls are that ask. */
  follow(event: EngineEvent): void
  /** Whether the question was answered at this terminal. */
  isAnsweredHere(id: string): boolean
}

interface Asked {
  readonly id: string
  readonly sessionID: string
  readonly tool: { readonly callID: string }
}

/** Undefined where nobody can answer. */
export function createQuestions(options: QuestionOptions): Questions | undefined {
  const { host, view, theme, stop } = options
  if (!host.stdin.isTTY || !host.stderr.isTerminal) return undefined
  const inputs = new Map<string, AskingCall["input"]>()
  const answered = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  /** What was typed before the question could be seen is no answer to it. */
  function inTurn<T>(signal: AbortSignal, unasked: T, ask: () => Promise<T>): Promise<T> {
    const answer = last.then(async () => {
      if (signal.aborted) return unasked
      await dropTypedAhead(host.stdin, stop)
      return signal.aborted ? unasked : ask()
    })
    last = answer.catch(() => undefined)
    return answer
  }
  function callOf({ sessionID, tool }: Asked): AskingCall {
    return { subagent: options.family?.()?.subagentOf(sessionID)?.name, input: inputs.get(tool.callID) }
  }
  function paper(): QuestionPaper {
    return { columns: host.stderr.columns, theme }
  }
  function read<T>(prompt: string, signal: AbortSignal, parse: (typed: string) => T | undefined) {
    return readAnswer({ host, stop, signal, prompt: theme.strong(prompt) }, parse)
  }

  return {
    ask: (request, signal) =>
      inTurn(signal, "reject", async () => {
        const because = await options.because?.(request).catch(() => undefined)
        return view.ask(permissionLines(request, { ...callOf(request), because }, paper()), async () => {
          for (;;) {
            const typed = await read("allow? ", signal, (text) => parsePermission(text, request))
            if (typed.type === "escape") continue
            if (typed.type === "closed") return "reject"
            answered.add(request.id)
            return typed.answer
          }
        })
      }),
    askChoice: (request, signal) =>
      inTurn<string[][] | undefined>(signal, undefined, async () => {
        const answers: string[][] = []
        for (const [at, choice] of request.questions.entries()) {
          const place = { number: at + 1, total: request.questions.length }
          const typed = await view.ask(choiceLines(choice, place, callOf(request), paper()), () => {
            return read("answer: ", signal, (text) => parseChoice(text, choice))
          })
          if (typed.type === "closed") return undefined
          answers.push(typed.type === "answer" ? typed.answer : [])
        }
        answered.add(request.id)
        return answers
      }),
    follow(event) {
      if (event.type !== "message.part.updated") return
      const { part } = event.properties
      if (part.type !== "tool") return
      if (part.state.status === "pending" || part.state.status === "running") inputs.set(part.callID, part.state.input)
      else inputs.delete(part.callID)
    },
    isAnsweredHere: (id) => answered.has(id),
  }
}
