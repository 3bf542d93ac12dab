import { describe, expect, it } from "vitest"
import { importMcpJson } from "./mcp-json.ts"
import { readServer } from "./read-servers.ts"

const read = (servers: object, environment = {}) => importMcpJson(JSON.stringify({ mcpServers: servers }), environment)

describe("a .mcp.json", () => {
  it("gives servers in pawl's form", () => {
    const { servers, problems } = read({
      files: { command: "npx", args: ["-y", "files"], env: { ROOT: "/" } },
      web: { type: "http", url: "https://example.com/mcp", headers: { A: "b" } },
      old: { type: "sse", url: "https://example.com/sse" },
    })

    expect(problems).toEqual([])
    expect(servers["files"]?.config).toEqual({
      type: "local",
      command: ["npx", "-y", "files"],
      environment: { ROOT: "/" },
    })
    expect(servers["web"]?.config).toEqual({
      type: "remote",
      url: "https://example.com/mcp",
      transport: "auto",
      headers: { A: "b" },
    })
    expect(servers["old"]?.config).toMatchObject({ transport: "sse" })
    for (const [name, { config }] of Object.entries(servers)) expect(readServer(name, config).problems).toEqual([])
  })

  it("has its variables filled, and keeps how they are written", () => {
    const entry = { command: "${BIN:-npx}", args: ["${HOME}/x"], env: { TOKEN: "a-${TOKEN}" } }

    const { servers } = read({ s: entry }, { HOME: "/home/me", TOKEN: "secret" })

    expect(servers["s"]?.config).toEqual({
      type: "local",
      command: ["npx", "/home/me/x"],
      environment: { TOKEN: "a-secret" },
    })
    expect(JSON.stringify(servers["s"]?.written)).not.toContain("secret")
  })

  it.each([
    [{ s: { command: "a", args: ["${NOT_SET}"] } }, "mcpServers.s: NOT_SET is not set"],
    [{ s: { args: [] } }, "mcpServers.s: command must be a text"],
    [{ s: { type: "ws", url: "ws://a" } }, 'mcpServers.s: type "ws" is not supported'],
    [{ s: 5 }, "mcpServers.s: must be an object"],
  ])("%j names what is wrong", (servers, message) => {
    const found = read({ ...servers, good: { command: "true" } })

    expect(found.problems.join()).toContain(message)
    expect(Object.keys(found.servers)).toEqual(["good"])
  })

  it.each(["{", "[]", "null", '{"mcpServers": []}'])("that says %s has no servers", (text) => {
    expect(importMcpJson(text, {})).toMatchObject({ servers: {}, problems: [expect.any(String)] })
  })
})
