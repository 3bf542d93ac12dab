// Shows messages with pawl's terminal UI, over a source without an engine.
import type { EngineEvent } from "@pawl/core"
import { runTui, type Source } from "@pawl/tui"
import { readInput } from "../measure/input.ts"
import { type Plan, play } from "../tui/played.ts"

const sessionID = "ses_1"
const session = {
  ...{ id: sessionID, projectID: "global", directory: "/work", title: "A session", version: "0" },
  time: { created: 1, updated: 1 },
}

await play(readInput() as Plan, async () => {
  const listeners = new Set<(event: EngineEvent) => void>()
  const opened = Promise.withResolvers<void>()
  const nothing = async () => []
  const source = {
    ...{ directory: "/work", usual: { agent: "build", model: { providerID: "acme", modelID: "small" } } },
    ...{ mask: (text: string) => text, models: nothing, commands: nothing, agents: nothing, shells: nothing },
    openSession: async () => ({ messages: [], queue: [] }),
    subscribe(listener: (event: EngineEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async newSession() {
      setImmediate(opened.resolve)
      return session
    },
  } as unknown as Source
  const ended = new AbortController()
  const running = runTui({
    open: async () => ({ source, notices: [] }),
    ...{ directory: "/work", mask: (text: string) => text, input: process.stdin, output: process.stdout },
    ...{
      hasColors: true,
      settingsFile: "/nowhere/tui.json",
      environment: { COLORFGBG: "15;0" },
      signal: ended.signal,
      onPrinted: () => () => undefined,
    },
  })
  await opened.promise
  const send = (type: string, properties: object) => {
    const event = { id: "evt_1", type, properties: { sessionID, ...properties } } as unknown as EngineEvent
    for (const listener of listeners) listener(event)
  }
  const part = (id: string, text: string, end?: number) =>
    send("message.part.updated", {
      part: { id, sessionID, messageID: "msg_2", type: "text", text, time: { start: 1, ...(end ? { end } : {}) } },
    })
  let number = 0
  let text = ""
  return {
    addMessage: (content) => part(`prt_old${++number}`, content, 2),
    begin() {
      text = ""
      number++
      send("session.status", { status: { type: "busy" } })
      part(`prt_${number}`, "")
    },
    addDelta(delta) {
      text += delta
      send("message.part.delta", { messageID: "msg_2", partID: `prt_${number}`, field: "text", delta })
    },
    end() {
      part(`prt_${number}`, text, 2)
      send("session.idle", {})
    },
    async close() {
      ended.abort()
      await running
      process.exit(0)
    },
  }
})
