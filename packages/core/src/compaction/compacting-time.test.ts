import { expect, it } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { look, looking, summary, windowModel } from "../../test/window-model.ts"

it("is set while the session waits for a compaction, and gone when that has ended, however it did", async () => {
  const seen: (number | undefined)[] = []
  let isFailing = false
  const look1 = async () => (await test.engine.getSession(test.session.id)).time.compacting
  const model = windowModel({
    ...{ context: 40_000, agent: looking(3) },
    summarizer: () => {
      if (isFailing) throw new Error("The summarizer is broken.")
      return summary()
    },
  })
  const plugin = {
    "session.compacting": async () => {
      seen.push(await look1())
    },
  }
  await using test = await testEngine({ model, tools: [look], plugins: [{ id: "look", plugin: () => plugin }] })
  await test.ask("Look everywhere.")
  expect(await look1()).toBeUndefined()

  expect(await test.engine.compact(test.session.id)).toMatchObject({ type: "compacted", outcome: { type: "applied" } })
  expect(await look1()).toBeUndefined()
  isFailing = true
  await test.ask("Look again.")
  await test.engine.compact(test.session.id)

  expect(seen).toEqual([expect.any(Number), expect.any(Number)])
  expect(await look1()).toBeUndefined()
  const told = test.events.flatMap((event) => (event.type === "session.updated" ? [event.properties.info.time] : []))
  expect(told.some(({ compacting }) => compacting !== undefined)).toBe(true)
})

it("is not left by a compaction that is aborted", async () => {
  const model = windowModel({ context: 40_000, agent: looking(3) })
  const plugin = { "session.compacting": () => void test.engine.abort(test.session.id) }
  await using test = await testEngine({ model, tools: [look], plugins: [{ id: "stop", plugin: () => plugin }] })
  await test.ask("Look everywhere.")

  expect(await test.engine.compact(test.session.id)).toMatchObject({ type: "aborted" })

  expect((await test.engine.getSession(test.session.id)).time.compacting).toBeUndefined()
})

it("is taken back by the next owner if the one before died with it", async () => {
  const model = windowModel({ context: 40_000, agent: looking(1) })
  await using test = await testEngine({ model, tools: [look] })
  await test.ask("Look everywhere.")
  await test.storage.commit(test.session.id, [{ type: "session.patch", changes: { time: { compacting: 7 } } }])

  await test.ask("Go on.")

  expect((await test.engine.getSession(test.session.id)).time.compacting).toBeUndefined()
})
