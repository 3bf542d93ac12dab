import { setTimeout as sleep } from "node:timers/promises"
// By its place: core must not depend on a storage.
import { sqliteStorage } from "../../storage-sqlite/src/index.ts"
import { createEngine, type SessionID } from "../src/index.ts"
import { defineTool } from "../src/tool.ts"
import { answeringModel } from "./answering-model.ts"
import { called, said } from "./streaming-model.ts"

// A process that works on a session until it is killed: path of the database, id of the session.
const [path = "", sessionID] = process.argv.slice(2)
const model = answeringModel(async function* ({ n }) {
  await sleep(3)
  yield* n % 3 === 2 ? said("Yes.") : [called("look", { n }, `call-${process.pid}-${n}`)]
})
const look = defineTool({
  ...{ name: "look", description: "look", inputSchema: { type: "object" }, effect: "pure" as const },
  parse: (input) => input,
  async execute() {
    await sleep(2)
    return { title: "look", output: "ok" }
  },
})
const engine = await createEngine({
  storage: await sqliteStorage({ path }),
  providers: [{ id: "answers", name: "test", models: async () => [model.info], model: async () => model }],
  ...{ model: model.ref, tools: [look], environment: {} },
})
for (let at = 0; ; at++) {
  const work = engine.prompt({ sessionID: sessionID as SessionID, parts: [{ type: "text", text: `Work ${at}` }] })
  if (at === 0) process.stdout.write("at work\n")
  await work.catch(() => sleep(5))
}
