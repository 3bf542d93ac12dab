import { messageOf } from "@pawl/core"

/**
 * Errors that nobody caught end no run while plugins of others are loaded: theirs they are, as far as can be told, such
 * as of a child process that nobody listens to. What they leave undone ends with its deadline.
 */
export function tellStrayErrors(notice: (text: string) => void): () => void {
  const tell = (error: unknown) => notice(`a plugin failed outside of its hooks: ${messageOf(error)}`)
  process.on("uncaughtException", tell)
  return () => void process.off("uncaughtException", tell)
}
