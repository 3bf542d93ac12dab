import { keyActions } from "./actions/key-actions.ts"
import type { ScreenUI } from "./commands/command.ts"
import type { Dialog } from "./dialogs/dialog.ts"
import type { QuestionDialogs } from "./question-dialogs.ts"
import type { Scrolling } from "./screen/full-compositor.ts"
import type { KeyPress } from "./terminal/keys.ts"
import type { VimEditor } from "./vim/vim-editor.ts"
import type { Draft } from "./draft.ts"
import { type ActionName, TWICE_MS } from "./keys/key-table.ts"

export interface KeyHandlerOptions {
  readonly ui: ScreenUI
  readonly editor: VimEditor
  readonly draft: Draft
  readonly questions: QuestionDialogs
  /** The dialog that a command has opened. */
  readonly dialog: () => Dialog | undefined
  readonly actions: ReadonlyMap<string, ActionName>
  /** Undefined if finished lines are in the terminal's own scrollback. */
  readonly scrolling?: Scrolling | undefined
  /** Inserts a key or a paste into the prompt. */
  readonly edit: (key: KeyPress) => void
  readonly now: () => number
}

/** Decides what a key does: it scrolls, answers, is a command of vim or an action, or goes into a dialog or the prompt. */
export interface KeyHandler {
  handle(key: KeyPress): void
  /** Says how the next key acts, if that is not obvious. */
  hint(): string | undefined
}

/** A second Ctrl-C within this time leaves. */
const LEAVE_MS = 2000

/** Lines that a notch of the mouse wheel scrolls. */
const WHEEL_LINES = 3

/** They work in dialogs and questions, too. */
const GENERAL: ReadonlySet<ActionName | undefined> = new Set<ActionName>(["leave", "suspend", "redraw"])

export function createKeyHandler(options: KeyHandlerOptions): KeyHandler {
  const { ui, editor, draft, questions, dialog, actions, scrolling, edit, now } = options
  let pressedLeave = -Infinity
  let pressed = { name: "", at: -Infinity }
  const asked = () => questions.current(ui.view())

  /** Returns the action of a key, or of the same key pressed twice. */
  function actionOf({ name }: KeyPress): ActionName | undefined {
    const isAgain = pressed.name === name && now() - pressed.at < TWICE_MS
    const twice = isAgain ? actions.get(`${name} ${name}`) : undefined
    // A key that is pressed three times is not pressed twice two times.
    pressed = { name: twice ? "" : name, at: now() }
    return twice ?? actions.get(name)
  }

  /** Returns true for a key that is one of vim's before it is one of an action. */
  function isVims({ name }: KeyPress, isAnswer: boolean): boolean {
    const isTyped = asked() ? !isAnswer && (name !== "escape" || !draft.isEmpty()) : dialog() === undefined
    return isTyped && (name === "escape" || name === "ctrl+r" || !actions.has(name))
  }

  /** Returns true if the key scrolls. Home and End move in a prompt that has text, unless earlier lines are shown. */
  function scrolls({ name }: KeyPress): boolean {
    if (!scrolling) return false
    if (name === "wheelUp" || name === "wheelDown")
      return scrolling.by(name === "wheelUp" ? -WHEEL_LINES : WHEEL_LINES) || true
    if (dialog()) return false
    if (name === "pageUp" || name === "pageDown") return scrolling.byPage(name === "pageUp" ? -1 : 1) || true
    if (!draft.isEmpty() && scrolling.isAtEnd()) return false
    if (name === "home") return scrolling.toStart() || true
    return name === "end" ? scrolling.toEnd() || true : false
  }

  return {
    handle(key) {
      if (scrolls(key)) return
      const question = asked()
      const isAnswer = questions.takes(key, { isEmpty: draft.isEmpty(), typed: draft.typed })
      if (question && key.name === "tab" && !isAnswer && draft.putAside()) return
      if (isVims(key, isAnswer) && editor.takes(key)) {
        draft.type()
        pressed = { name: "", at: now() }
        pressedLeave = -Infinity
        return
      }
      const action = actionOf(key)
      const isSecond = action === "leave" && now() - pressedLeave < LEAVE_MS
      pressedLeave = action === "leave" ? now() : -Infinity
      if (isSecond) return ui.leave()
      const open = question ?? dialog()
      const isGeneral = GENERAL.has(action) || (question && action === "interrupt" && !questions.takesEscape())
      // A question leaves keys to the prompt below it; another dialog takes all of them.
      const isTaken = question ? isAnswer : open !== undefined
      if (action && (isGeneral || !isTaken) && keyActions[action](ui, key)) return
      if (isTaken) return open?.handle(key)
      draft.type()
      edit(key)
    },
    hint() {
      if (now() - pressedLeave < LEAVE_MS) return "ctrl+c again leaves"
      if (asked()) return draft.isEmpty() ? undefined : "tab answers the question"
      const isAgain = pressed.name === "escape" && now() - pressed.at < TWICE_MS && actions.has("escape escape")
      return isAgain && !dialog() && ui.view().status === "idle" && draft.isEmpty() ? "esc again goes back" : undefined
    },
  }
}
