import type { Agent } from "../agents/agent.ts"
import { DelegationError } from "../base/errors.ts"
import type { IDSource, SessionID } from "../base/ids.ts"
import { type Drafts, keepDraft } from "../record/drafts.ts"
import type { ModelRef, Session } from "../record/message.ts"
import { VERSION } from "../base/version.ts"
import type { Storage } from "../contracts/storage.ts"
import type { SubagentTask } from "../contracts/tool.ts"
import type { DelegatingCall } from "../contracts/delegate.ts"

export interface ChildSessionDeps {
  readonly storage: Pick<Storage, "listSessions" | "getSession">
  readonly ids: IDSource
  readonly drafts: Drafts
  readonly now: () => number
}

/** Returns the session that this call began before its process died. */
export async function findBegun(
  { storage }: Pick<ChildSessionDeps, "storage">,
  { sessionID, messageID, callID }: DelegatingCall,
): Promise<Session | undefined> {
  for await (const child of storage.listSessions({ parentID: sessionID })) {
    const { delegation } = child
    if (delegation?.callID === callID && delegation.messageID === messageID) return child
  }
  return undefined
}

/** Returns the child session. Rejects with DelegationError if the session is not directly below the parent. */
export async function requireChild(
  storage: Pick<Storage, "getSession">,
  parentID: SessionID,
  id: SessionID,
): Promise<Session> {
  const child = await storage.getSession(id)
  if (child?.parentID === parentID) return child
  throw new DelegationError(`This session has no task ${id}. Leave the task's id out to begin a new one.`)
}

/** Returns a session that is stored with its prompt. */
export function draftChild(
  { drafts, ids, now }: ChildSessionDeps,
  parent: Session,
  by: {
    readonly task: SubagentTask
    readonly agent: Agent
    readonly model: ModelRef
    readonly call: DelegatingCall
    readonly directory: string
  },
): Session {
  const { task, agent, model, call, directory } = by
  const time = now()
  const child: Session = {
    ...{ id: ids.session(), projectID: parent.projectID, directory, parentID: parent.id },
    ...{ title: `${task.description} (@${agent.name} subagent)`, version: VERSION, agent: agent.name, model },
    delegation: { agent: call.agent, messageID: call.messageID, callID: call.callID },
    time: { created: time, updated: time },
  }
  keepDraft(drafts, child)
  return child
}
