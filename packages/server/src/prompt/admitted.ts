import { randomUUID } from "node:crypto"
import { type Engine, type MessageWithParts, NotFoundError, type PromptRequest } from "@pawl/core"
import type { UserMessage } from "@pawl/core/record"

/** Number of newest messages among which a prompt is found again. The engine searches as many. */
const SEARCH_COUNT = 1000

/**
 * Sends a prompt, and resolves with its message once that is stored, before it is answered. A prompt whose `clientID` is
 * known already is the same prompt. Rejects if nothing was stored. Later failures of the run are events.
 */
export async function admitted(
  engine: Pick<Engine, "prompt" | "readMessages" | "subscribe">,
  request: PromptRequest,
): Promise<MessageWithParts<UserMessage>> {
  const { sessionID, clientID = `own_${randomUUID()}` } = request
  const find = () => findPrompt(engine, sessionID, clientID)
  const known = request.clientID === undefined ? undefined : await find()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const unsubscribe = engine.subscribe((event) => {
    if (event.type !== "message.updated") return
    const { info } = event.properties
    if (info.sessionID === sessionID && info.role === "user" && info.clientID === clientID) resolve()
  })
  try {
    engine.prompt({ ...request, clientID }).then(() => resolve(), reject)
    if (known) {
      promise.catch(() => undefined)
      return known
    }
    await promise
  } finally {
    unsubscribe()
  }
  const stored = await find()
  if (!stored) throw new NotFoundError(`Session ${sessionID} has no prompt ${clientID}: a plugin removed it.`)
  return stored
}

async function findPrompt(
  engine: Pick<Engine, "readMessages">,
  sessionID: PromptRequest["sessionID"],
  clientID: string,
): Promise<MessageWithParts<UserMessage> | undefined> {
  for await (const { info, parts } of engine.readMessages(sessionID, { limit: SEARCH_COUNT, assistantParts: false })) {
    if (info.role === "user" && info.clientID === clientID) return { info, parts }
  }
  return undefined
}
