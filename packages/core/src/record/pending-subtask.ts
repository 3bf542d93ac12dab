import type { MessageWithParts, Part, SubtaskPart, UserMessage } from "./message.ts"

/** A task that a user's message hands to a subagent, and that nobody has worked on. */
export interface PendingSubtask {
  readonly user: MessageWithParts<UserMessage>
  readonly part: SubtaskPart
  /** Its place among the tasks of its message, from 0. */
  readonly index: number
  /** No other of its message is left after it. */
  readonly isLast: boolean
}

/** Says in a call's metadata which of its message's tasks it works on: by its place, which a copy keeps. */
export const SUBTASK = "subtask"

export function subtasksOf({ parts }: Pick<MessageWithParts, "parts">): readonly SubtaskPart[] {
  return parts.filter((part): part is SubtaskPart => part.type === "subtask")
}

/** The first task of the message that has no call. */
export function pendingSubtask(
  messages: readonly MessageWithParts[],
  user: MessageWithParts<UserMessage>,
): PendingSubtask | undefined {
  const tasks = subtasksOf(user)
  if (tasks.length === 0) return undefined
  const called = new Set(messages.flatMap((message) => (isAnswerTo(message, user) ? calledTasks(message.parts) : [])))
  const index = tasks.findIndex((_task, at) => !called.has(at))
  const part = tasks[index]
  return part && { user, part, index, isLast: called.size === tasks.length - 1 }
}

function isAnswerTo({ info }: MessageWithParts, user: MessageWithParts): boolean {
  return info.role === "assistant" && info.parentID === user.info.id
}

/** The places of the tasks that these calls work on. */
export function calledTasks(parts: readonly Part[]): number[] {
  return parts.flatMap((part) => {
    const index = part.type === "tool" ? part.metadata?.[SUBTASK] : undefined
    return typeof index === "number" ? [index] : []
  })
}
