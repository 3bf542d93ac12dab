import { chooseAgent, type Chooser } from "../agents/agent.ts"
import { NotFoundError } from "../base/errors.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { JSONObject } from "../base/json.ts"
import type { Write } from "../contracts/storage.ts"
import {
  type AssistantMessage,
  isAssistant,
  type MessageWithParts,
  type ModelRef,
  type Session,
  type UserMessage,
} from "../record/message.ts"
import { requestingText } from "../record/requested-call.ts"
import { isWaitingInfo } from "../record/waiting.ts"
import type { RunLimits } from "../budget/limits.ts"
import type { Runs } from "../run/run-api.ts"
import { busyError } from "../store/acquire-soon.ts"
import { publishWrites } from "../store/journal.ts"
import { finalUndoWrites, undoNotice } from "../undo/final-undo.ts"
import { agentAndModel, type PromptingDeps } from "./prompting.ts"

export interface ToolCallRequest {
  readonly sessionID: SessionID
  /** Name of a tool of the agent. */
  readonly tool: string
  readonly input: JSONObject
  /** Agent whose rules and tools apply. Default: the session's */
  readonly agent?: string
  readonly model?: ModelRef
  /** The caller that chose the agent. Default: `user` */
  readonly by?: Extract<Chooser, "user" | "program">
  readonly limits?: RunLimits
}

export interface CallingWorkers {
  readonly runs: Pick<Runs, "start" | "has">
  readonly getSession: (id: SessionID) => Promise<Session>
}

/** Stores a request for a call and runs it. `Engine.callTool` has the contract. */
export async function callTool(
  deps: PromptingDeps,
  { runs, getSession }: CallingWorkers,
  { sessionID, tool, input, by = "user", ...request }: ToolCallRequest,
): Promise<MessageWithParts<AssistantMessage>> {
  const session = await getSession(sessionID)
  const { agents } = deps.settings()
  const chosen = request.agent === undefined ? undefined : chooseAgent(agents, request.agent, by)
  const { agent, model } = agentAndModel(deps, session, { agent: chosen, model: request.model })
  await deps.models.findModel(model)
  if (runs.has(sessionID)) throw await busyError(deps.store.storage, sessionID)
  let requestID: MessageID | undefined
  const store = async () => {
    requestID = await storeRequest(deps, session, { tool, input, agent: agent.name, model })
  }
  const isDraft = deps.store.drafts.has(sessionID)
  const bounds = request.limits ? { limits: request.limits } : {}
  await runs.start(sessionID, { ...(isDraft ? { create: store } : { prepare: store }), ...bounds })
  for await (const message of deps.store.storage.readMessages(sessionID)) {
    if (isAssistant(message) && message.info.parentID === requestID) return message
    if (message.info.id === requestID) break
  }
  throw new DOMException("The call was aborted before it began.", "AbortError")
}

interface StoredRequest extends Pick<ToolCallRequest, "tool" | "input"> {
  readonly agent: string
  readonly model: ModelRef
}

/** Stores the message that asks for a call, and returns its id. Makes an undo before it final. */
async function storeRequest(
  { store }: PromptingDeps,
  { id: sessionID }: Pick<Session, "id">,
  { tool, input, agent, model }: StoredRequest,
): Promise<MessageID> {
  return store.inTurn(sessionID, async () => {
    const draft = store.drafts.get(sessionID)
    const session = draft ?? (await store.storage.getSession(sessionID))
    if (!session) throw new NotFoundError(`Session ${sessionID} does not exist.`)
    const newest = draft ? undefined : await newestID(store.storage.readMessages(sessionID))
    const id = store.ids.message(newest)
    const time = { created: store.now() }
    const message: UserMessage = { id, sessionID, role: "user", time, agent, model }
    const part = { id: store.ids.part(), sessionID, messageID: id, ...requestingText({ tool, input }) }
    const writes: Write[] = [
      ...(draft ? [] : await finalUndoWrites(store, session, { notice: undoNotice(session) })),
      { type: "message.put", message },
      { type: "part.put", part },
      { type: "session.patch", changes: { agent, model, time: { updated: store.now() } } },
    ]
    const stored: Write[] = draft ? [{ type: "session.put", session: draft }, ...writes] : writes
    const revision = await store.storage.commit(sessionID, stored)
    if (draft) {
      store.drafts.delete(sessionID)
      store.bus.publish("session.created", { sessionID, info: draft })
    }
    await publishWrites(store, sessionID, { writes, revision })
    return id
  })
}

async function newestID(messages: AsyncIterable<MessageWithParts>): Promise<MessageID | undefined> {
  for await (const { info } of messages) if (!isWaitingInfo(info)) return info.id
  return undefined
}
