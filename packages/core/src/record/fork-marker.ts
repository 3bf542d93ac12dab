import type { Session } from "./message.ts"

const MARKER = "unfinishedFork"

/**
 * Returns whether a session is a fork that is being copied, or whose copying was interrupted. Until it is complete, it
 * is stored as a child of its source, so that it does not show as a session of the user's and is removed with the
 * source.
 */
export function isUnfinishedFork({ metadata }: Session): boolean {
  return metadata?.[MARKER] === true
}

/** Returns the session as it is stored during the copy. */
export function unfinished(fork: Session, source: Session): Session {
  return { ...fork, parentID: source.id, metadata: { ...fork.metadata, [MARKER]: true } }
}
