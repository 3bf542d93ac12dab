import type { AskChoice, AskPermission, PermissionRequest } from "@pawl/core/host"
import { chosenPatternsProblem } from "@pawl/core/permission"
import { messageOf } from "@pawl/core/tool"
import { proposedChange, type ProposingCall } from "@pawl/terminal-text/proposed-change"
import type { Theme } from "@pawl/terminal-text/theme"
import type { Host } from "../host.ts"
import { choiceLines, parseChoice } from "./choice-question.ts"
import type { SubagentTracker } from "@pawl/runtime/run/subagent-tracker"
import {
  type AskingCall,
  type PermissionAnswer,
  parsePermission,
  permissionLines,
  type QuestionLayout,
} from "@pawl/terminal-text/permission-question"
import { readAnswer } from "./prompt-line.ts"
import type { RunView } from "./run-view.ts"
import type { Stop } from "./stop.ts"
import { dropTypedAhead } from "./typed-ahead.ts"

export interface QuestionOptions {
  readonly host: Pick<Host, "stdin" | "stderr">
  readonly theme: Theme
  readonly view: Pick<RunView, "ask">
  readonly stop: Pick<Stop, "interrupt">
  /** Finds the subagent of a call. Default: all calls are the session's own. */
  readonly subagents?: () => Pick<SubagentTracker, "subagentOf"> | undefined
  /** Describes the rule that requires a question. */
  readonly because?: (request: PermissionRequest) => Promise<string | undefined>
  /** Returns the stored call that asks. Undefined if the request does not come from a call. */
  readonly callOf?: (request: PermissionRequest) => Promise<ProposingCall | undefined>
}

/** Asks at the terminal, one question after the other. */
export interface Questions {
  readonly ask: AskPermission
  readonly askChoice: AskChoice
  /** Returns true if the question was answered at this terminal. */
  isAnsweredHere(id: string): boolean
}

/** Creates the questions of this terminal. Undefined without a user who can answer. */
export function createQuestions(options: QuestionOptions): Questions | undefined {
  const { host, view, theme, stop } = options
  if (!host.stdin.isTTY || !host.stderr.isTerminal) return undefined
  const answered = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  /** Asks one question at a time. Discards input that was typed before the question was visible. */
  function inTurn<T>(signal: AbortSignal, unasked: T, ask: () => Promise<T>): Promise<T> {
    const answer = last.then(async () => {
      if (signal.aborted) return unasked
      await dropTypedAhead(host.stdin, stop)
      return signal.aborted ? unasked : ask()
    })
    last = answer.catch(() => undefined)
    return answer
  }
  function subagentOf(sessionID: string): string | undefined {
    return options.subagents?.()?.subagentOf(sessionID)?.name
  }
  async function callOf(request: PermissionRequest): Promise<AskingCall> {
    const because = await options.because?.(request).catch(() => undefined)
    const call = await options.callOf?.(request).catch((error: unknown) => {
      // The patterns may be a part of it only.
      host.stderr.write(`The whole call could not be read: ${messageOf(error)}\n`)
      return undefined
    })
    const change = call && (await proposedChange(call, request.metadata["filepath"]))
    return { subagent: subagentOf(request.sessionID), because, input: call?.input, change }
  }
  /** Undefined for an invalid answer. Says why a pattern is invalid. */
  function fittingAnswer(typed: string, request: PermissionRequest): PermissionAnswer | undefined {
    const answer = parsePermission(typed, request)
    const problem = answer?.patterns && chosenPatternsProblem(request, answer.patterns)
    if (problem === undefined) return answer
    host.stderr.write(`${problem}\n`)
    return undefined
  }
  function layout(): QuestionLayout {
    return { columns: host.stderr.columns, theme }
  }
  function read<T>(prompt: string, signal: AbortSignal, parse: (typed: string) => T | undefined) {
    return readAnswer({ host, stop, signal, prompt: theme.strong(prompt) }, parse)
  }

  return {
    ask: (request, signal) =>
      inTurn(signal, "reject", async () => {
        return view.ask(permissionLines(request, await callOf(request), layout()), async () => {
          for (;;) {
            const typed = await read("allow? ", signal, (text) => fittingAnswer(text, request))
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
          const position = { number: at + 1, total: request.questions.length }
          const typed = await view.ask(
            choiceLines(choice, position, { subagent: subagentOf(request.sessionID) }, layout()),
            () => {
              return read("answer: ", signal, (text) => parseChoice(text, choice))
            },
          )
          if (typed.type === "closed") return undefined
          answers.push(typed.type === "answer" ? typed.answer : [])
        }
        answered.add(request.id)
        return answers
      }),
    isAnsweredHere: (id) => answered.has(id),
  }
}
