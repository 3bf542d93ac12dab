import type { EngineEvent } from "@pawl/core"
import { expect, it } from "vitest"
import { assistantInfo, delta, session, SESSION, text } from "../test/view-values.ts"
import { createShownSession } from "./shown-session.ts"
import type { OpenedSession, Source } from "./source/source.ts"

it("adds no words twice that were written while the session was read", async () => {
  const listeners = new Set<(event: EngineEvent) => void>()
  const say = (event: EngineEvent) => listeners.forEach((listener) => listener(event))
  const reading = Promise.withResolvers<OpenedSession>()
  const source = {
    ...{ usual: { agent: "build" }, models: async () => [], openSession: () => reading.promise },
    subscribe(listener: (event: EngineEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Source
  const shown = createShownSession({ source, now: () => 1, onChange: () => undefined, onModel: () => undefined })

  const opened = shown.open(SESSION)
  say(delta("prt_1", "two "))
  say(text("prt_2", "", false))
  say(delta("prt_2", "next"))
  const part = { id: "prt_1", sessionID: SESSION, messageID: "msg_2", type: "text", text: "one two " } as const
  const messages = [{ info: assistantInfo(), parts: [{ ...part, time: { start: 1 } }] }]
  reading.resolve({ session, messages, hasMore: false, queue: [], questions: [] })
  await opened

  const texts = shown.store.view().blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
  expect(texts).toEqual(["one two ", "next"])
})

it("keeps what it says while the session is opened", async () => {
  const source = {
    ...{
      usual: { agent: "build" },
      models: async () => [],
      newSession: async () => session,
      subscribe: () => () => {},
    },
    openSession: async () => ({ session, messages: [], hasMore: false, queue: [], questions: [] }),
  } as unknown as Source
  const shown = createShownSession({ source, now: () => 1, onChange: () => undefined, onModel: () => undefined })
  const notices = () => shown.store.view().blocks.flatMap((block) => (block.type === "notice" ? [block.text] : []))

  shown.add({ type: "notice", text: "A plugin is missing." })
  await shown.begin()
  expect(notices()).toEqual(["A plugin is missing."])

  shown.add({ type: "notice", text: "So is a file." })
  await shown.open(SESSION)
  expect(notices()).toEqual(["A plugin is missing.", "So is a file."])
})
