import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { Session, UserMessage } from "../record/message.ts"
import { sessionChanges } from "./session-changes.ts"

const storage = memoryStorage()

function newSession(id: string, fields: Partial<Session> = {}): Session {
  return {
    ...{ id: id as SessionID, projectID: "p", directory: "/srv", title: "Session", version: "1" },
    ...{ time: { created: 1, updated: 1 }, ...fields },
  }
}

/** Stores a session with one call that changed a file named after the session. */
async function stored(session: Session, callID: string): Promise<Session> {
  const messageID = `msg_${session.id}` as MessageID
  const owner = { sessionID: session.id, messageID }
  const message: UserMessage = {
    ...{ id: messageID, sessionID: session.id, role: "user", agent: "build", time: { created: 2 } },
    model: { providerID: "p", modelID: "m" },
  }
  const state = { status: "completed" as const, input: {}, output: "", title: "", metadata: {} }
  await storage.commit(session.id, [
    { type: "session.put", session },
    { type: "message.put", message },
    {
      type: "part.put",
      part: {
        ...{ id: "prt_1", ...owner, type: "tool", callID, tool: "write" },
        state: { ...state, time: { start: 2, end: 3 } },
        changes: [{ path: `/srv/${session.id}`, before: null, after: null }],
      },
    },
  ])
  return session
}

function delegated(id: string, parent: Session, callID: string): Session {
  const delegation = { agent: "build", messageID: `msg_${parent.id}` as MessageID, callID }
  return newSession(id, { parentID: parent.id, delegation })
}

it("finds the changes of a call, for a subagent's call those of all sessions that work for it", async () => {
  const session = await stored(newSession("ses_1"), "call_task")
  const child = await stored(delegated("ses_2", session, "call_task"), "call_2")
  await stored(delegated("ses_3", child, "call_2"), "call_3")
  await stored(delegated("ses_4", session, "call_other"), "call_4")
  const pathsOf = async (callID?: string) => {
    const { changes } = await sessionChanges(storage, session, { callID })
    return changes.map(({ path }) => path).toSorted()
  }
  expect(await pathsOf("call_task")).toEqual(["/srv/ses_1", "/srv/ses_2", "/srv/ses_3"])
  expect(await pathsOf("call_2")).toEqual(["/srv/ses_2", "/srv/ses_3"])
  expect(await pathsOf("call_4")).toEqual(["/srv/ses_4"])
  expect(await pathsOf()).toHaveLength(4)
})
