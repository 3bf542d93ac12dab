import { createSecrets } from "@pawl/secrets"
import type { Config } from "@pawl/config"
import { describe, expect, it } from "vitest"
import type { Layer } from "@pawl/config/layer"
import { PLUGINS } from "../config/config-changes.ts"
import { mergeLayers } from "@pawl/config"
import { configuredServers, hasServers } from "./configured-servers.ts"

const local = (command: string, more: object = {}) => ({ type: "local" as const, command: [command], ...more })

interface Given {
  readonly users?: Config["mcp"]
  readonly projects?: Config["mcp"]
  readonly written?: Config["mcp"]
  readonly plugins?: Config["mcp"]
  readonly mcpJSON?: string
  readonly isTrusted?: boolean
}

function settingsOf({ users = {}, projects = {}, written, plugins, mcpJSON, isTrusted = true }: Given) {
  const layers: Layer[] = [
    { source: "/home/pawl.jsonc", config: { mcp: users }, isProject: false },
    {
      source: "/p/pawl.jsonc",
      config: { mcp: projects },
      isProject: true,
      ...(written ? { written: { mcp: written } } : {}),
    },
    ...(plugins ? [{ source: PLUGINS, config: { mcp: plugins }, isProject: false }] : []),
  ]
  const files = mcpJSON === undefined ? [] : [{ path: ".mcp.json", kind: "mcp", hash: "", text: mcpJSON }]
  const content = { directory: "/p", worktree: "/p", root: "/p", files, hash: "" }
  const trust = { state: "trusted", content, isTrusted, effects: [], notices: [] }
  return { config: mergeLayers(layers).config, layers, directory: "/p", worktree: "/p", trust } as never
}

const read = (given: Given, environment: Record<string, string> = {}) =>
  configuredServers(settingsOf(given), { environment, secrets: createSecrets() })

describe("the servers of a configuration", () => {
  it("are the project's where its file is the last to say what they are", async () => {
    const { servers } = await read({
      users: { a: local("a"), b: local("b") },
      projects: { b: local("evil"), c: local("c") },
    })

    expect(servers.map(({ name, source, entry }) => [name, source, entry.scope])).toEqual([
      ["a", "/home/pawl.jsonc", "user"],
      ["b", "/p/pawl.jsonc", "project"],
      ["c", "/p/pawl.jsonc", "project"],
    ])
  })

  it("stay whose they are when they are only switched", async () => {
    const { servers } = await read({ users: { a: local("a") }, projects: { a: { enabled: false } } })

    expect(servers).toMatchObject([{ entry: { scope: "user", config: { command: ["a"], enabled: false } } }])
  })

  it("are allowed as they are written, and as plugins made them where those changed them", async () => {
    const projects = { a: local("a", { environment: { TOKEN: "secret" } }) }
    const written = { a: local("a", { environment: { TOKEN: "{env:TOKEN}" } }) }

    const plain = await read({ projects, written })
    const changed = await read({ projects, written, plugins: { a: local("b") } })

    expect(plain.servers[0]?.entry.written).toEqual(written.a)
    expect(changed.servers).toMatchObject([{ entry: { scope: "project", config: local("b"), written: local("b") } }])
  })

  it("come from a .mcp.json of a trusted project too, variables filled and remembered as secrets", async () => {
    const mcpJSON = JSON.stringify({
      mcpServers: {
        a: { command: "x", env: { API_TOKEN: "${API_TOKEN}" } },
        b: { command: "y" },
        off: { command: "z" },
        bad: {},
      },
    })
    const given = { users: { b: local("mine"), off: { enabled: false } }, mcpJSON }
    const secrets = createSecrets()
    const host = { environment: { API_TOKEN: "abcdef-0123456789" }, secrets }

    const { servers, problems } = await configuredServers(settingsOf(given), host)

    expect(servers.map(({ name, source, entry }) => [name, source, entry.scope])).toEqual([
      ["a", "/p/.mcp.json", "project"],
      ["off", "/p/.mcp.json", "project"],
      ["b", "/home/pawl.jsonc", "user"],
    ])
    expect(servers[0]?.entry).toMatchObject({ written: { environment: { API_TOKEN: "${API_TOKEN}" } } })
    expect(servers[1]?.entry.config).toMatchObject({ enabled: false })
    expect(problems).toEqual(["/p/.mcp.json: mcpServers.bad: command must be a text."])
    expect(secrets.mask("abcdef-0123456789")).not.toContain("abcdef")
    expect((await configuredServers(settingsOf({ mcpJSON, isTrusted: false }), host)).servers).toEqual([])
  })
})

it("are there to be used unless all of them are switched off", () => {
  expect(hasServers(settingsOf({}))).toBe(false)
  expect(hasServers(settingsOf({ users: { a: local("a", { enabled: false }), b: { enabled: true } } }))).toBe(false)
  expect(hasServers(settingsOf({ users: { a: local("a") } }))).toBe(true)
  expect(hasServers(settingsOf({ mcpJSON: "{}" }))).toBe(true)
  expect(hasServers(settingsOf({ mcpJSON: "{}", isTrusted: false }))).toBe(false)
})
