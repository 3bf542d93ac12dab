import { finish, scriptedModel, stall, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { storages } from "../../test/storages.ts"
import { SessionBusyError } from "../index.ts"
import { collected } from "../base/collected.ts"

describe.each(storages)("removing a session over $name", ({ open }) => {
  it("takes everything below it, and tells of each session once, children first", async () => {
    const storage = await open()
    await using test = await testEngine({ model: scriptedModel([]), storage })
    const { engine, session } = test
    const { directory } = session
    const child = await engine.createSession({ directory, parentID: session.id })
    const grandchild = await engine.createSession({ directory, parentID: child.id })
    const other = await engine.createSession({ directory })
    let seen: string[] = []

    await engine.removeSession(session.id, {
      async before(sessions) {
        seen = sessions.map(({ id }) => id)
        expect(await storage.getSession(grandchild.id)).toBeDefined()
      },
    })

    expect(seen).toEqual([session.id, child.id, grandchild.id])
    expect((await collected(storage.listSessions())).map(({ id }) => id)).toEqual([other.id])
    const deleted = test.events.filter(({ type }) => type === "session.deleted")
    expect(deleted.map(({ properties }) => "sessionID" in properties && properties.sessionID)).toEqual([
      ...[grandchild.id, child.id, session.id],
    ])
    await expect(engine.removeSession(session.id)).rejects.toThrow(`There is no session ${session.id}`)
  })

  it("first ends a run of it and of those below", async () => {
    const storage = await open()
    const model = scriptedModel([
      [text("Hm"), stall()],
      [text("Hm"), stall()],
    ])
    await using test = await testEngine({ model, storage })
    const { engine, session } = test
    const child = await engine.createSession({ directory: session.directory, parentID: session.id })
    const begun = Promise.withResolvers<void>()
    let busy = 0
    engine.subscribe(({ type }) => {
      if (type === "message.part.delta" && ++busy === 2) begun.resolve()
    })
    const runs = [session, child].map(({ id }) => {
      return engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Think" }] })
    })
    await begun.promise

    await engine.removeSession(session.id)

    expect((await Promise.all(runs)).map(({ type }) => type)).toEqual(["aborted", "aborted"])
    expect(await collected(storage.listSessions())).toEqual([])
  })

  it("is refused while another process works on one of them, and leaves all as it was", async () => {
    const storage = await open()
    await using test = await testEngine({ model: scriptedModel([[text("Hi"), finish("stop")]]), storage })
    const { engine, session } = test
    const child = await engine.createSession({ directory: session.directory, parentID: session.id })
    const lease = await storage.acquire(child.id, "another process", 60_000)
    let wasAsked = false

    const removing = engine.removeSession(session.id, { before: async () => void (wasAsked = true) })

    await expect(removing).rejects.toThrow(SessionBusyError)
    expect(wasAsked).toBe(false)
    expect(await storage.getSession(session.id)).toEqual(session)
    expect((await test.ask("Still there?")).type).toBe("answered")
    await lease?.release()
    await engine.removeSession(session.id)
    expect(await storage.getSession(child.id)).toBeUndefined()
  })

  it("does not happen when its copy cannot be kept", async () => {
    const storage = await open()
    await using test = await testEngine({ model: scriptedModel([[text("Hi"), finish("stop")]]), storage })
    const { engine, session } = test

    const removing = engine.removeSession(session.id, { before: () => Promise.reject(new Error("disk full")) })

    await expect(removing).rejects.toThrow("disk full")
    expect(await storage.getSession(session.id)).toBeDefined()
    expect(test.events.filter(({ type }) => type === "session.deleted")).toEqual([])
    expect((await test.ask("Still there?")).type).toBe("answered")
  })
})
