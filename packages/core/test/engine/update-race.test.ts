import { setTimeout } from "node:timers/promises"
import { scriptedModel, text, finish } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine } from "../engine-fixture.ts"
import { storages } from "../storages.ts"
import type { Session, SessionID, Storage } from "../../src/storage.ts"

const reply = () => scriptedModel([[text("Yes."), finish("stop")]])

/** A storage one of whose readers of a session is held up until the other has had the time to write. */
function slowReads(storage: Storage): { storage: Storage; duringRead(number: number, other: Work): void } {
  let meanwhile: { readonly number: number; readonly other: Work } | undefined
  let reads = 0
  const getSession = async (id: SessionID): Promise<Session | undefined> => {
    const session = await storage.getSession(id)
    const other = ++reads === meanwhile?.number ? meanwhile.other : undefined
    if (other) await Promise.race([other(), setTimeout(100)])
    return session
  }
  return {
    storage: replacing(storage, { getSession }),
    duringRead(number, other) {
      reads = 0
      meanwhile = { number, other }
    },
  }
}

type Work = () => Promise<unknown>

function replacing(storage: Storage, replaced: Partial<Storage>): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name in replaced) return Reflect.get(replaced, name) as unknown
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? (value.bind(target) as unknown) : value
    },
  })
}

/** A prompt's first read tells that there is such a session, and its second how the session is called. */
const PROMPT_READS_TITLE = 2
/** A change of the title tells of itself while it holds the session. */
const UPDATE_TELLS = 2

describe.each(storages)("over $name", ({ open }) => {
  it.each(["another engine", "the same engine"])("a change of the title undoes no archiving by %s", async (who) => {
    const slow = slowReads(await open())
    await using test = await testEngine({ model: reply(), storage: slow.storage })
    const { engine, session } = test
    await using second = await testEngine({ model: reply(), storage: slow.storage, session })
    const other = who === "another engine" ? second.engine : engine
    let archiving: Promise<unknown> = Promise.resolve()
    slow.duringRead(1, () => (archiving = other.updateSession(session.id, { archived: true })))

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
    slow.duringRead(PROMPT_READS_TITLE, () => {
      return (archiving = other.updateSession(session.id, { archived: true }))
    })

    expect(await test.ask("Well?")).toMatchObject({ type: "answered" })
    await archiving

    expect((await engine.getSession(session.id)).time.archived).toBeDefined()
  })

  it.each(["another engine", "the same engine"])("a prompt undoes no title given by %s", async (who) => {
    const slow = slowReads(await open())
    await using test = await testEngine({ model: reply(), storage: slow.storage })
    const { engine, session } = test
    await using second = await testEngine({ model: reply(), storage: slow.storage, session })
    const other = who === "another engine" ? second.engine : engine
    let naming: Promise<unknown> = Promise.resolve()
    slow.duringRead(PROMPT_READS_TITLE, () => (naming = other.updateSession(session.id, { title: "Given" })))

    expect(await test.ask("Well?")).toMatchObject({ type: "answered" })
    await naming

    expect((await engine.getSession(session.id)).title).toBe("Given")
  })

  it("a session is archived and brought back though it can never be had alone", async () => {
    const storage = replacing(await open(), { acquire: () => new Promise(() => undefined) })
    await using test = await testEngine({ model: reply(), storage })
    const { engine, session } = test

    expect((await engine.updateSession(session.id, { archived: true })).time.archived).toBeDefined()
    expect((await engine.updateSession(session.id, { archived: false })).time.archived).toBeUndefined()
  })

  it("a prompt waits for a title that another engine gives", async () => {
    const slow = slowReads(await open())
    await using test = await testEngine({ model: reply(), storage: slow.storage })
    await using second = await testEngine({ model: reply(), storage: slow.storage, session: test.session })
    let prompting: Promise<unknown> = Promise.resolve()
    slow.duringRead(UPDATE_TELLS, () => (prompting = second.ask("Well?")))

    await test.engine.updateSession(test.session.id, { title: "New" })

    expect(await prompting).toMatchObject({ type: "answered" })
  })
})
