import type { Session } from "./message.ts"

const MARKER = "unfinishedFork"

/**
 * A fork that is being copied, or whose copying was interrupted. Until it is whole it stands below its source, so that
 * nobody takes it for a session of the user's, and goes with the source.
 */
export function isUnfinishedFork({ metadata }: Session): boolean {
  return metadata?.[MARKER] === true
}

/** The session as it is stored while it is copied. */
export function unfinished(fork: Session, source: Session): Session {
  return { ...fork, parentID: source.id, metadata: { ...fork.metadata, [MARKER]: true } }
}
