import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { finish, scriptedModel, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../test/temporary-directory.ts"
import { createEngine } from "./create-engine.ts"

it("makes an engine that reads the instructions of a project", async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, "AGENTS.md"), "Use tabs.")
  const model = scriptedModel([[text("Hello."), finish("stop")]])
  const provider = { id: model.ref.providerID, name: "Scripted", models: async () => [], model: async () => model }
  await using engine = await createEngine({ storage: memoryStorage(), providers: [provider], model: model.ref })
  const session = await engine.createSession({ directory, title: "Tabs" })

  await engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Hi" }] })

  expect(model.requests[0]?.system.join("\n")).toContain("Use tabs.")
})
