import type { IDSource, MessageWithParts, ModelRef, Part, SessionID } from "../src/index.ts"
import type { AssistantMessage } from "../src/record.ts"
import type { Storage, Write } from "../src/storage.ts"

/** Messages of one session, made one after the other and stored by `commit`. */
export function conversation(
  ids: IDSource,
  sessionID: SessionID,
  model: ModelRef = { providerID: "test", modelID: "test" },
) {
  const messages: MessageWithParts[] = []
  let asked = ids.message()

  function add(info: MessageWithParts["info"], parts: readonly object[]): MessageWithParts {
    const owned = parts.map((part) => ({ ...part, id: ids.part(), sessionID, messageID: info.id }) as Part)
    const message = { info, parts: owned }
    messages.push(message)
    return message
  }
  return {
    messages,
    user(...parts: readonly object[]): MessageWithParts {
      asked = ids.message()
      return add({ id: asked, sessionID, role: "user", time: { created: 1 }, agent: "build", model }, parts)
    },
    assistant(changes: Partial<AssistantMessage>, ...parts: readonly object[]): MessageWithParts {
      const info: AssistantMessage = {
        ...{ id: ids.message(), sessionID, role: "assistant", parentID: asked, ...model },
        ...{ agent: "build", mode: "build", path: { cwd: "/", root: "/" }, cost: 0, finish: "stop" },
        tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
        time: { created: 1, completed: 2 },
        ...changes,
      }
      return add(info, parts)
    },
    async commit(storage: Storage): Promise<void> {
      const writes = messages.flatMap(({ info, parts }): Write[] => [
        { type: "message.put", message: info },
        ...parts.map((part): Write => ({ type: "part.put", part })),
      ])
      await storage.commit(sessionID, writes)
    },
  }
}

export const said = (text: string) => ({ type: "text", text })
