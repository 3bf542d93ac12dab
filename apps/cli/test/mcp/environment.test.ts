import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "../in-process.ts"
import { fixtureServer } from "./servers.ts"

it("gives a server the variables that `environment` names, unless they hold a provider's key", async () => {
  const { pawl, environment, configuration, project } = await desk()
  Object.assign(environment, {
    EDITOR_MODE: "calm",
    SHADE: "dark",
    OPENAI_API_KEY: "a-key-of-a-provider",
    OTHER: "other",
  })
  const { server } = fixtureServer(dirname(project), { SHADE: "the server's own" })
  const config = { environment: ["EDITOR_MODE", "SHADE", "OPENAI_API_KEY"], mcp: { fix: server } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify(config))

  const { stdout } = await pawl("mcp", "call", "fix", "env")

  const given = JSON.parse(stdout) as Record<string, string>
  expect(given).toMatchObject({ EDITOR_MODE: "calm", SHADE: "the server's own" })
  expect(given).not.toHaveProperty("OPENAI_API_KEY")
  expect(given).not.toHaveProperty("OTHER")
})
