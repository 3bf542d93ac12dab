import type { Agent } from "../agents/agent.ts"
import { DelegationError, messageOf } from "../base/errors.ts"
import type { SubagentDirectories } from "../contracts/subagent-directories.ts"
import type { Session } from "../record/message.ts"

export interface OwnDirectoryDeps {
  readonly subagentDirectories: SubagentDirectories | undefined
}

export interface DirectoryQuery {
  readonly agent: Agent
  readonly parent: Session
  /** Session that is continued. Undefined for a new one. */
  readonly child: Session | undefined
  readonly signal: AbortSignal
}

/** Returns the directory in which an agent works: that of the parent, or its own. Rejects with DelegationError. */
export async function childDirectory(
  { subagentDirectories }: OwnDirectoryDeps,
  { agent, parent, child, signal }: DirectoryQuery,
): Promise<string> {
  if (!agent.ownDirectory) return child?.directory ?? parent.directory
  // A session that began in the parent's directory stays there.
  if (child?.directory === parent.directory) return child.directory
  if (!subagentDirectories) {
    throw new DelegationError(
      `The agent ${agent.name} works in a directory of its own, which this program does not supply.`,
    )
  }
  const request = {
    above: parent.directory,
    agent: agent.name,
    ...(child ? { directory: child.directory } : {}),
    signal,
  }
  return subagentDirectories.open(request).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new DelegationError(`The agent ${agent.name} cannot get a directory of its own: ${messageOf(error)}`)
  })
}

/** Returns facts about the directory in which a subagent has worked; undefined if that was the parent's. */
export async function directoryFacts(
  { subagentDirectories }: OwnDirectoryDeps,
  {
    agent,
    parent,
    child,
    description,
  }: Omit<DirectoryQuery, "signal" | "child"> & {
    readonly child: Session
    readonly description: string
  },
): Promise<string | undefined> {
  if (!subagentDirectories || child.directory === parent.directory) return undefined
  const subagent = { directory: child.directory, agent: agent.name, description }
  // A failure to get the facts does not fail the work.
  return subagentDirectories
    .ended(subagent)
    .catch((error: unknown) => `It worked in ${child.directory}. ${messageOf(error)}`)
}
