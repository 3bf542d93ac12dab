import { madeAfter } from "../base/ids.ts"
import type { Session, UserMessage } from "../record/message.ts"
import { planModeReminder } from "./plan-mode.ts"
import { queuedReminder } from "./queued-message.ts"

export interface Reminder {
  readonly kind: "plan" | "queued" | "pins"
  readonly text: string
}

export interface ReminderInput {
  /** As it was before the message. */
  readonly session: Pick<Session, "agent" | "pins">
  readonly agent: string
  /** A run was under way when the message came. */
  readonly isQueued: boolean
  /** The user's message before it; absent for the first. */
  readonly since: Pick<UserMessage, "id" | "time"> | undefined
}

/**
 * What is to be said with a user's message besides its words. It is stored with the message: a reminder that came and
 * went would change what the provider has in its cache.
 */
export function remindersFor({ session, agent, isQueued, since }: ReminderInput): Reminder[] {
  const planMode = planModeReminder(agent, session.agent)
  const pins = (session.pins ?? [])
    .filter((pin) => since === undefined || isLater(pin, since))
    .map(({ text }) => `- ${text}`)
  const pinned = `<system-reminder>\nNotes that the user pinned; they hold for the rest of the session:\n${pins.join("\n")}\n</system-reminder>`
  return [
    ...(planMode === undefined ? [] : [{ kind: "plan", text: planMode } as const]),
    ...(isQueued ? [{ kind: "queued", text: queuedReminder } as const] : []),
    ...(pins.length > 0 ? [{ kind: "pins", text: pinned } as const] : []),
  ]
}

/** Within a millisecond the ids tell; in a fork the copied messages have newer ones. */
function isLater(a: { id: string; time: { created: number } }, b: { id: string; time: { created: number } }): boolean {
  return a.time.created === b.time.created ? madeAfter(a.id, b.id) : a.time.created > b.time.created
}
