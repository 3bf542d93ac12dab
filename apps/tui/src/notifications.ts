import { plainLine } from "@pawl/plain-text"
import { clip } from "@pawl/terminal-text/width"
import type { SessionView } from "./state/view.ts"
import type { TuiSettings } from "./settings/tui-settings.ts"

type Environment = Readonly<Record<string, string | undefined>>

export interface Notifications {
  /** Looks for the end of a turn and for new questions. Call it after each change of the view. */
  follow(view: Pick<SessionView, "status" | "questions" | "session">): void
  /** The terminal has got the focus, or lost it. */
  focus(hasFocus: boolean): void
}

const MAX_TEXT_COLUMNS = 80

/** Notifies the user of answers and questions while the terminal has no focus. `notify` gets a line of text. */
export function createNotifications(notify: (text: string) => void): Notifications {
  // A terminal that does not report its focus is taken for the one that the user looks at.
  let isAway = false
  let status: SessionView["status"] = "idle"
  let questions = 0

  return {
    focus(hasFocus) {
      isAway = !hasFocus
    },
    follow(view) {
      const title = clip(plainLine(view.session?.title ?? ""), MAX_TEXT_COLUMNS)
      const isAsked = view.questions.length > questions
      const isDone = status === "busy" && view.status === "idle"
      status = view.status
      questions = view.questions.length
      if (!isAway) return
      if (isAsked) notify(`pawl asks: ${title}`)
      else if (isDone) notify(`pawl is done: ${title}`)
    },
  }
}

const BELL = "\u0007"

/** Returns the sequence that shows a text on the desktop, or a bell where none is known. */
export function notificationSequence(text: string, notify: TuiSettings["notify"], environment: Environment): string {
  const { TERM_PROGRAM = "", TERM = "", VTE_VERSION, TMUX, STY, KITTY_WINDOW_ID } = environment
  const shown = plainLine(text).replaceAll(";", ",")
  // Multiplexers pass a bell on, and mark the window.
  if (notify !== "osc" || TMUX || STY) return BELL
  if (VTE_VERSION || /^(?:foot|rxvt)/.test(TERM)) return `\u001B]777;notify;pawl;${shown}${BELL}`
  const hasOsc9 = ["iTerm.app", "WezTerm", "ghostty", "WarpTerminal"].includes(TERM_PROGRAM) || Boolean(KITTY_WINDOW_ID)
  return hasOsc9 ? `\u001B]9;${shown}${BELL}` : BELL
}
