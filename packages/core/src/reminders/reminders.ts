import { madeAfter } from "../base/ids.ts"
import type { Session, UserMessage } from "../record/message.ts"
import { undoNotice } from "../undo/final-undo.ts"
import { planModeReminder } from "./plan-mode.ts"
import { queuedReminder } from "./queued-message.ts"

export interface Reminder {
  readonly kind: "plan" | "queued" | "pins" | "undo"
  readonly text: string
}

export interface ReminderInput {
  /** The session before the message. */
  readonly session: Pick<Session, "agent" | "pins" | "undo" | "undoNotice">
  readonly agent: string
  /** True if a run was under way when the message came. */
  readonly isQueued: boolean
  /** The user's previous message; missing for the first. */
  readonly since: Pick<UserMessage, "id" | "time"> | undefined
}

/**
 * Returns the reminders for a user's message. They are stored with the message, because a reminder that disappears
 * again would invalidate the provider's cache.
 */
export function remindersFor({ session, agent, isQueued, since }: ReminderInput): Reminder[] {
  const planMode = planModeReminder(agent, session.agent)
  const pins = (session.pins ?? [])
    .filter((pin) => since === undefined || isLater(pin, since))
    .map(({ text }) => `- ${text}`)
  const pinned = `<system-reminder>\nNotes that the user pinned; they hold for the rest of the session:\n${pins.join("\n")}\n</system-reminder>`
  const undone = undoNotice(session)
  return [
    ...(undone === undefined ? [] : [{ kind: "undo", text: undone } as const]),
    ...(planMode === undefined ? [] : [{ kind: "plan", text: planMode } as const]),
    ...(isQueued ? [{ kind: "queued", text: queuedReminder } as const] : []),
    ...(pins.length > 0 ? [{ kind: "pins", text: pinned } as const] : []),
  ]
}

/** Compares ids within a millisecond. Times come first, because copied messages in a fork have newer ids. */
function isLater(a: { id: string; time: { created: number } }, b: { id: string; time: { created: number } }): boolean {
  return a.time.created === b.time.created ? madeAfter(a.id, b.id) : a.time.created > b.time.created
}
