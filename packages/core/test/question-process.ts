// A process with an engine over a database. Prints a line of JSON for what happens.
//   question-process.ts ask    <database> <session> <effects>              runs a call that is asked, waits for the answer
//   question-process.ts resume <database> <session> <effects>              goes on with the session
//   question-process.ts answer <database> <session> <question> <reply>     answers, and tells how that went
import { appendFileSync } from "node:fs"
import { sqliteStorage } from "../../storage-sqlite/src/index.ts"
import { createEngine, type SessionID } from "../src/index.ts"
import type { PartID } from "../src/record.ts"
import { answeringModel } from "./answering-model.ts"
import { called, said } from "./streaming-model.ts"

const [task, path = "", sessionID = "", ...rest] = process.argv.slice(2)
const id = sessionID as SessionID
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const model = answeringModel(({ request }) => {
  return request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look", {}, "look-1")]
})
const storage = await sqliteStorage({ path })
const engine = await createEngine({
  storage,
  providers: [{ id: model.ref.providerID, name: "test", models: async () => [model.info], model: async () => model }],
  model: model.ref,
  askPolicy: "wait",
  permission: [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" }] }],
  tools: [
    {
      ...{ name: "look", description: "look", inputSchema: { type: "object" }, effect: "unsafe" },
      parse: (input) => input,
      async execute() {
        appendFileSync(rest[0] ?? "", "effect\n")
        return { title: "look", output: "seen" }
      },
    },
  ],
})
engine.subscribe((event) => {
  if (event.type === "permission.asked") print({ asked: event.properties.id })
})
try {
  if (task === "answer") {
    const [questionID, reply] = rest as [PartID, "once" | "reject"]
    await engine.answer({ sessionID: id, questionID, answer: { type: "permission", reply } })
    print({ answered: reply })
  } else {
    const prompt = { sessionID: id, parts: [{ type: "text", text: "Go" }] as const }
    print(await (task === "ask" ? engine.prompt(prompt) : engine.resume(id)))
  }
} catch (error) {
  print({ error: error instanceof Error ? error.name : String(error) })
}
await engine.close()
await storage.close()
