import type { MessageWithParts, Part, SubtaskPart, UserMessage } from "./message.ts"

/** A task of a user's message for a subagent that no call has started. */
export interface PendingSubtask {
  readonly user: MessageWithParts<UserMessage>
  readonly part: SubtaskPart
  /** Its position among the tasks of its message, from 0. */
  readonly index: number
  /** True if all other tasks of its message have a call. */
  readonly isLast: boolean
}

/** Key in a call's metadata for the task that it works on: the task's position, which a copy of the message keeps. */
export const SUBTASK = "subtask"

export function subtasksOf({ parts }: Pick<MessageWithParts, "parts">): readonly SubtaskPart[] {
  return parts.filter((part): part is SubtaskPart => part.type === "subtask")
}

/** Returns the message's first task without a call. */
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

/** Returns the positions of the tasks that these calls work on. */
export function calledTasks(parts: readonly Part[]): number[] {
  return parts.flatMap((part) => {
    const index = part.type === "tool" ? part.metadata?.[SUBTASK] : undefined
    return typeof index === "number" ? [index] : []
  })
}
