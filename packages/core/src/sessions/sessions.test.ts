import { finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { storages } from "../../test/storages.ts"
import { NotFoundError } from "../index.ts"
import { collected } from "../base/collected.ts"

describe.each(storages)("sessions over $name", ({ open }) => {
  it("are created, listed newest first, and found by their parent", async () => {
    const storage = await open()
    await using test = await testEngine({ model: scriptedModel([]), storage })
    const { engine, session } = test
    const first = await engine.createSession({ directory: "/a", parentID: session.id })
    const second = await engine.createSession({ directory: "/a", parentID: session.id, title: "Look" })

    expect(await engine.children(session.id)).toEqual([second, first])
    expect((await collected(engine.listSessions())).map(({ id }) => id)).toEqual([second.id, first.id, session.id])
    expect(await collected(engine.listSessions({ title: "LOOK" }))).toEqual([second])
    expect(await engine.getSession(first.id)).toEqual(first)
    expect(test.events.map(({ type }) => type)).toEqual(["session.created", "session.created"])
    for (const missing of [engine.getSession("ses_x"), engine.children("ses_x"), engine.updateSession("ses_x", {})]) {
      await expect(missing).rejects.toThrow(NotFoundError)
    }
  })

  it("that came to stand below themselves are worked on and removed like others", async () => {
    const storage = await open()
    await using test = await testEngine({ model: scriptedModel([[text("Yes."), finish("stop")]]), storage })
    const { id } = test.session
    await storage.commit(id, [{ type: "session.patch", changes: { parentID: id } }])

    expect(await test.ask("Well?")).toMatchObject({ type: "answered" })
    await test.engine.removeSession(id)
    expect(await storage.getSession(id)).toBeUndefined()
  })

  it("change in what is named alone, with one event for each change", async () => {
    const storage = await open()
    let now = 1000
    await using test = await testEngine({ model: scriptedModel([]), storage, now: () => now })
    const { engine, session } = test
    const rules = [{ permission: "bash", pattern: "*", action: "deny" }] as const
    now = 2000

    await engine.updateSession(session.id, { permission: rules, metadata: { ticket: 7 } })
    const renamed = await engine.updateSession(session.id, { title: "Renamed" })
    const archived = await engine.updateSession(session.id, { archived: true })
    now = 3000
    const again = await engine.updateSession(session.id, { archived: true })
    const back = await engine.updateSession(session.id, { archived: false })

    expect(renamed).toEqual({
      ...session,
      ...{ title: "Renamed", permission: rules, metadata: { ticket: 7 }, time: { created: 1000, updated: 2000 } },
    })
    expect([archived.time.archived, again.time.archived, back.time.archived]).toEqual([2000, 2000, undefined])
    expect(back.time).not.toHaveProperty("archived")
    expect(await storage.getSession(session.id)).toEqual(back)
    const updates = test.events.flatMap((event) => (event.type === "session.updated" ? [event.properties.info] : []))
    expect(updates.slice(1)).toEqual([renamed, archived, again, back])
  })
})
