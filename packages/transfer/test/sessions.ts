import { createIDSource } from "@pawl/core"
import type { MessageID, MessageWithParts, Part, PartID, Session, SessionID, Storage, Write } from "@pawl/core/storage"

export const model = { providerID: "acme", modelID: "large" }

/** Ids by a clock that stands still: the same in each run but for their random digits. */
export const newID = createIDSource(() => 1_700_000_000_000)

export function session(fields: Partial<Session> = {}): Session {
  const id = fields.id ?? newID.session()
  const time = { created: 1_700_000_000_000, updated: 1_700_000_000_500 }
  return { id, projectID: "project", directory: "/home/ada/code", title: "A session", version: "1", time, ...fields }
}

/** A prompt and its answer with a tool call. */
export function turn(
  sessionID: SessionID,
  text: string,
  fields: { blob?: string; path?: string } = {},
): MessageWithParts[] {
  const user = newID.message()
  const assistant = newID.message()
  const { blob, path = "/home/ada/code/a.ts" } = fields
  const time = { start: 1, end: 2 }
  const part = <T extends object>(messageID: MessageID, rest: T) => {
    const id: PartID = newID.part()
    return { id, sessionID, messageID, ...rest }
  }
  const state = {
    status: "completed" as const,
    input: { filePath: path },
    output: `read ${path}`,
    title: "a.ts",
    metadata: { ...(blob && { output: `blob:${blob}` }) },
    time,
  }
  return [
    {
      info: { id: user, sessionID, role: "user", time: { created: 1 }, agent: "build", model },
      parts: [part(user, { type: "text" as const, text, time })],
    },
    {
      info: {
        id: assistant,
        sessionID,
        role: "assistant",
        parentID: user,
        ...model,
        agent: "build",
        mode: "build",
        path: { cwd: "/home/ada/code", root: "/home/ada" },
        cost: 0.5,
        tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
        finish: "stop",
        time: { created: 2, completed: 3 },
      },
      parts: [
        part(assistant, { type: "reasoning" as const, text: "hm", metadata: { signature: "x" }, time }),
        part(assistant, { type: "tool" as const, callID: "call_1", tool: "read", state }),
        part(assistant, { type: "text" as const, text: `about ${text}`, time }),
      ],
    },
  ]
}

/** A prompt of more records than one commit takes. */
export function longTurn(sessionID: SessionID, fields: { blob?: string } = {}): MessageWithParts[] {
  const [user, assistant] = turn(sessionID, "x", fields)
  if (!user || !assistant) throw new Error("A turn has two messages.")
  const owner = { sessionID, messageID: user.info.id, type: "text" as const }
  const parts = Array.from({ length: 250 }, (_, at): Part => ({ ...owner, id: newID.part(), text: `part ${at}` }))
  return [{ ...user, parts }, assistant]
}

export async function store(storage: Storage, stored: Session, messages: readonly MessageWithParts[]): Promise<void> {
  const writes = messages.flatMap(({ info, parts }): Write[] => [
    { type: "message.put", message: info },
    ...parts.map((part: Part): Write => ({ type: "part.put", part })),
  ])
  await storage.commit(stored.id, [{ type: "session.put", session: stored }, ...writes])
}

/** Everything that a storage holds of its sessions, in order. */
export async function everything(storage: Storage): Promise<{ session: Session; messages: MessageWithParts[] }[]> {
  const all = []
  for await (const session of storage.listSessions()) {
    const messages = []
    for await (const message of storage.readMessages(session.id)) messages.push(message)
    all.push({ session, messages })
  }
  return all
}
