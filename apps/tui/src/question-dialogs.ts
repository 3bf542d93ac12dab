import type { Answer } from "@pawl/core/record"
import { answerQuestion } from "./actions/answer-question.ts"
import { createChoiceDialog } from "./dialogs/choice-dialog.ts"
import type { Dialog } from "./dialogs/dialog.ts"
import { createPermissionDialog } from "./dialogs/permission-dialog.ts"
import type { QuestionDetails, Source } from "./source/source.ts"
import type { OpenQuestion, SessionView } from "./state/view.ts"
import type { KeyPress } from "./terminal/keys.ts"

export interface QuestionDialogsOptions {
  readonly source: Pick<Source, "answer" | "details" | "resume">
  readonly view: () => SessionView
  readonly now: () => number
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
  /** Prints lines into the scrollback. */
  readonly print: (lines: readonly string[]) => void
}

/** Shows the oldest open question as a dialog. */
export interface QuestionDialogs {
  /** Returns the dialog of the oldest open question. Undefined without one. */
  current(view: Pick<SessionView, "questions" | "subagents">): Dialog | undefined
  /**
   * Returns true if a key answers the current question. While there is a draft, keys go into it; so does a key that follows
   * another one closely, and a key that answers nothing. `typed`: when the last key went into the draft, epoch milliseconds.
   */
  takes(key: KeyPress, draft: { readonly isEmpty: boolean; readonly typed: number }): boolean
  /** Returns true if Escape belongs to the dialog, which has a text field open. */
  takesEscape(): boolean
}

/** A key that comes sooner after the question, or after another key, belongs to what the user is typing. */
const READING_MS = 400

/** No letters: they would be the beginning of a prompt. */
const ANSWERS = /^(?:up|down|enter|[1-9])$/

export function createQuestionDialogs({
  source,
  view,
  now,
  onChange,
  onError,
  print,
}: QuestionDialogsOptions): QuestionDialogs {
  let shown: { readonly id: string; readonly dialog: Dialog; readonly at: number } | undefined

  function dialogOf(question: OpenQuestion, subagent: string | undefined): Dialog {
    const answer = (given: Answer) => void answerQuestion(source, view, { question, answer: given }).catch(onError)
    if (question.type === "choice") {
      const { request } = question
      return createChoiceDialog({ request, subagent, onAnswer: (answers) => answer({ type: "choice", answers }) })
    }
    let details: QuestionDetails = {}
    source.details(question).then((found) => {
      details = found
      onChange()
    }, onError)
    return createPermissionDialog({
      request: question.request,
      subagent,
      details: () => details,
      print,
      onAnswer: answer,
    })
  }

  return {
    current({ questions, subagents }) {
      const [first] = questions
      if (!first) {
        shown = undefined
        return undefined
      }
      const { id, sessionID } = first.request
      if (shown?.id !== id) shown = { id, dialog: dialogOf(first, subagents.get(sessionID)?.agent), at: now() }
      return shown.dialog
    },
    takes(key, { isEmpty, typed }) {
      if (!shown) return false
      if (shown.dialog.takesEscape?.()) return true
      return isEmpty && now() - Math.max(shown.at, typed) >= READING_MS && ANSWERS.test(key.name)
    },
    takesEscape: () => shown?.dialog.takesEscape?.() ?? false,
  }
}
