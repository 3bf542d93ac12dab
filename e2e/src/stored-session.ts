import { createIDSource, type MessageWithParts, type ModelRef, type Part, type SessionID } from "@pawl/core"
import type { AssistantMessage } from "@pawl/core/record"
import type { Storage, Write } from "@pawl/core/storage"

/** A part without its ids. */
export type PartContent = Readonly<Record<string, unknown>> & { readonly type: Part["type"] }

/** Messages of a session as another process or an import stored them. */
export function storedSession(sessionID: SessionID, model: ModelRef) {
  const ids = createIDSource(() => Date.now() - 60_000)
  const writes: Write[] = []
  let asked = ids.message()

  function add(message: MessageWithParts["info"], parts: readonly PartContent[]): void {
    const owned = parts.map((part) => ({ ...part, id: ids.part(), sessionID, messageID: message.id }) as Part)
    writes.push({ type: "message.put", message }, ...owned.map((part): Write => ({ type: "part.put", part })))
  }
  return {
    user(...parts: readonly PartContent[]) {
      asked = ids.message()
      add({ id: asked, sessionID, role: "user", time: { created: 1 }, agent: "build", model }, parts)
    },
    assistant(changes: Partial<AssistantMessage>, ...parts: readonly PartContent[]) {
      const info: AssistantMessage = {
        ...{ id: ids.message(), sessionID, role: "assistant", parentID: asked, ...model },
        ...{ agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, finish: "stop" },
        tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: 1, completed: 2 },
        ...changes,
      }
      add(info, parts)
    },
    async commit(storage: Storage): Promise<void> {
      await storage.commit(sessionID, writes)
    },
  }
}
