import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openPlugins } from "../src/open-plugins.ts"
import { openServers } from "../src/open-servers.ts"
import { readRules } from "../src/read-rules.ts"
import { runtimeHost } from "./runtime-host.ts"
import { temporaryDirectory } from "./temporary-directory.ts"

/** Makes a user with a plugin that adds a command, an MCP server and a permission rule to the configuration. */
async function userWithPlugin() {
  const root = await temporaryDirectory()
  const directory = join(root, "project")
  const settings = join(root, "config")
  for (const each of [directory, settings]) await mkdir(each)
  const plugin = `export default async () => ({
    config: (config) => {
      config.command = { ...config.command, greet: { template: "Say hello" } }
      config.mcp = { ...config.mcp, files: { type: "local", command: ["files-server"] } }
      config.permission = { bash: "deny" }
    },
  })`
  await writeFile(join(settings, "acme.js"), plugin)
  await writeFile(join(settings, "pawl.jsonc"), JSON.stringify({ plugin: ["./acme.js"] }))
  const environment = {
    PAWL_DATA_DIR: join(root, "data"),
    PAWL_CONFIG_DIR: settings,
    PATH: process.env["PATH"],
  }
  return { directory, host: runtimeHost({ directory, home: root, environment }) }
}

it("returns the configuration as plugins change it, without a model", async () => {
  const { directory, host } = await userWithPlugin()

  await using opened = await openPlugins({ directory, host })

  expect(opened.notices).toEqual([])
  expect(opened.commands.map(({ name }) => name)).toContain("greet")
  expect(opened.settings.config.permission).toEqual({ bash: "deny" })
})

it("starts no plugin if the caller wants none", async () => {
  const { directory, host } = await userWithPlugin()

  await using opened = await openPlugins({ directory, host, isPure: true })

  expect(opened.engine).toBeUndefined()
  expect(opened.commands.map(({ name }) => name)).not.toContain("greet")
})

it("knows the MCP servers that plugins configure", async () => {
  const { directory, host } = await userWithPlugin()

  await using opened = await openServers({ directory, host })

  expect(opened.servers.map(({ name }) => name)).toEqual(["files"])
  await using none = await openServers({ directory, host, isPure: true })
  expect(none.servers).toEqual([])
})

it("reads the rules of plugins, and the tools they are about", async () => {
  const { directory, host } = await userWithPlugin()

  const { agent, rules, tools } = await readRules({ directory, host })

  expect(agent.name).toBe("build")
  expect(tools.map(({ name }) => name)).toContain("bash")
  expect(JSON.stringify(rules)).toContain('"permission":"bash","pattern":"*","action":"deny"')
})
