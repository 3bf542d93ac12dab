import { finish, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine } from "../engine-fixture.ts"
import { storages } from "../storages.ts"
import type { Storage, StorageProblem } from "../../src/storage.ts"

it.each(storages)("tells of records that cannot be read, and answers without them ($name)", async ({ open }) => {
  const storage = await open()
  const problem: StorageProblem = { kind: "damaged", subject: "prt_1", message: "Part prt_1 is no JSON." }
  const damaged: Storage = {
    ...storage,
    readContext: async (id) => ({ ...(await storage.readContext(id)), damaged: [problem] }),
  }
  const model = scriptedModel([[text("Hello"), finish("stop")]])
  await using test = await testEngine({ model, storage: damaged })

  const result = await test.ask("Hi")

  expect(result.type).toBe("answered")
  expect(test.events.filter(({ type }) => type === "storage.damaged")).toMatchObject([
    { properties: { sessionID: test.session.id, problems: [problem] } },
  ])
})
