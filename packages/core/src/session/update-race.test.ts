import { setTimeout } from "node:timers/promises"
import { scriptedModel, text, finish } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { storages } from "../../test/storages.ts"
import type { Session, SessionID, Storage } from "../index.ts"

const reply = () => scriptedModel([[text("Yes."), finish("stop")]])

/** A storage whose next reader of a session is held up until the other has had the time to write. */
function slowReads(storage: Storage): { storage: Storage; during(other: () => Promise<unknown>): void } {
  let meanwhile: (() => Promise<unknown>) | undefined
  let reads = 0
  const getSession = async (id: SessionID): Promise<Session | undefined> => {
    const session = await storage.getSession(id)
    // The first read tells that there is such a session; what is written is made of the second.
    const other = ++reads === 2 ? meanwhile : undefined
    if (other) await Promise.race([other(), setTimeout(100)])
    return session
  }
  return {
    storage: new Proxy(storage, {
      get(target, name) {
        if (name === "getSession") return getSession
        const value: unknown = Reflect.get(target, name)
        return typeof value === "function" ? (value.bind(target) as unknown) : value
      },
    }),
    during(other) {
      reads = 0
      meanwhile = other
    },
  }
}

describe.each(storages)("over $name", ({ open }) => {
  it.each(["another engine", "the same engine"])("a change of the title undoes no archiving by %s", async (who) => {
    const slow = slowReads(await open())
    await using test = await testEngine({ model: reply(), storage: slow.storage })
    const { engine, session } = test
    await using second = await testEngine({ model: reply(), storage: slow.storage, session })
    const other = who === "another engine" ? second.engine : engine
    let archiving: Promise<unknown> = Promise.resolve()
    slow.during(() => (archiving = other.updateSession(session.id, { archived: true })))

    await engine.updateSession(session.id, { title: "New" })
    await archiving

    expect(await engine.getSession(session.id)).toMatchObject({ title: "New", time: { archived: expect.any(Number) } })
  })

  it.each(["another engine", "the same engine"])("a prompt undoes no archiving by %s", async (who) => {
    const slow = slowReads(await open())
    await using test = await testEngine({ model: reply(), storage: slow.storage })
    const { engine, session } = test
    await using second = await testEngine({ model: reply(), storage: slow.storage, session })
    const other = who === "another engine" ? second.engine : engine
    let archiving: Promise<unknown> = Promise.resolve()
    slow.during(() => (archiving = other.updateSession(session.id, { archived: true })))

    expect(await test.ask("Well?")).toMatchObject({ type: "answered" })
    await archiving

    expect((await engine.getSession(session.id)).time.archived).toBeDefined()
  })

  it("a prompt waits for a change of another engine to be stored", async () => {
    const slow = slowReads(await open())
    await using test = await testEngine({ model: reply(), storage: slow.storage })
    await using second = await testEngine({ model: reply(), storage: slow.storage, session: test.session })
    let prompting: Promise<unknown> = Promise.resolve()
    slow.during(() => (prompting = second.ask("Well?")))

    await test.engine.updateSession(test.session.id, { archived: true })

    expect(await prompting).toMatchObject({ type: "answered" })
  })
})
