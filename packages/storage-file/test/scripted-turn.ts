import { NotFoundError, type SessionID, type MaintainedStorage, type Write } from "@pawl/core/storage"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { SimulatedDisk } from "./simulated-disk.ts"

const [main, child] = [sessionID(1), sessionID(2)]
const text = (message: number, part: number, content: string): Write => ({
  type: "part.put",
  part: sampleText(main, messageID(message), partID(part), { text: content }),
})

/** The steps of a turn, each one promise of the storage: when it resolves, what it did is there for good. */
export const turn: readonly ((storage: MaintainedStorage) => Promise<unknown>)[] = [
  (storage) => {
    const message = sampleUserMessage(main, messageID(1))
    return storage.commit(main, [put(sampleSession(main)), { type: "message.put", message }, text(1, 1, "Hi")])
  },
  (storage) => {
    const message = sampleAssistantMessage(main, messageID(2))
    return storage.commit(main, [{ type: "message.put", message }, text(2, 2, "H")])
  },
  (storage) => storage.commit(main, [text(2, 2, "Hello"), text(2, 3, "x".repeat(300))]),
  (storage) => storage.commit(child, [put(sampleSession(child, { parentID: main }))]),
  (storage) => storage.commit(main, [{ type: "part.remove", messageID: messageID(2), partID: partID(3) }]),
  (storage) => storage.commit(main, [{ type: "session.patch", changes: { projectID: "other", title: "Moved" } }]),
  (storage) => storage.commit(main, [{ type: "message.remove", messageID: messageID(1) }, text(2, 4, "still here")]),
  (storage) => storage.removeSession(child),
  (storage) => storage.commit(main, []),
  (storage) => storage.commit(main, [text(2, 2, "Hello again")]),
  (storage) => storage.commit(main, [text(2, 5, "a".repeat(1200))]),
  (storage) => storage.commit(main, [text(2, 5, "a".repeat(1300))]),
  (storage) => storage.commit(main, [text(2, 5, `${"a".repeat(1300)}é"\\n\u{1f600}${"b".repeat(200)}`)]),
  (storage) => storage.commit(main, [text(2, 5, `${"a".repeat(1300)}é"\\n\u{1f601}${"b".repeat(400)}`)]),
  (storage) => storage.commit(main, [text(2, 5, "a".repeat(1400)), text(2, 2, "The end")]),
]

/** What can be read before the first step and after each of them, when nothing goes wrong. */
export async function expectedStates(open: (disk: SimulatedDisk) => Promise<MaintainedStorage>): Promise<object[]> {
  const storage = await open(new SimulatedDisk())
  const states = [await describe(storage)]
  for (const step of turn) {
    await step(storage)
    states.push(await describe(storage))
  }
  await storage.close()
  return states
}

/** All that can be read of the turn's sessions. */
export async function describe(storage: MaintainedStorage): Promise<object> {
  const listed: SessionID[] = []
  for await (const { id } of storage.listSessions()) listed.push(id)
  return { listed, main: await describeSession(storage, main), child: await describeSession(storage, child) }
}

async function describeSession(storage: MaintainedStorage, id: SessionID): Promise<object | undefined> {
  try {
    return { context: await storage.readContext(id), changes: await storage.readChanges(id, 0) }
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

function put(session: ReturnType<typeof sampleSession>): Write {
  return { type: "session.put", session }
}
