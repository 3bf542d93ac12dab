import { describe, expect, it } from "vitest"
import { ConfigError, mergeLayers, readConfig } from "./index.ts"

async function problemsOf(mcp: unknown): Promise<readonly string[]> {
  const env = { PAWL_CONFIG_CONTENT: JSON.stringify({ mcp }) }
  try {
    await readConfig({ directory: "/nowhere", worktree: undefined, env, home: "/nowhere" })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message)
    throw error
  }
}

describe("MCP servers in a configuration", () => {
  it.each([
    { type: "local", command: ["npx", "-y", "some-server"], environment: { KEY: "{env:KEY}" }, timeout: 0 },
    { type: "remote", url: "https://example.com/mcp", oauth: false, timeouts: { call: 120_000 } },
    { type: "remote", url: "https://example.com/mcp", oauth: { clientId: "a", callbackPort: 1234 }, transport: "sse" },
    {
      type: "remote",
      url: "https://example.com/mcp",
      oauth: { clientMetadataUrl: "https://example.com/oauth/pawl.json" },
    },
    { enabled: false },
  ])("may be written as %j", async (server) => {
    expect(await problemsOf({ x: server })).toEqual([])
  })

  it.each([
    [5, "1:13: mcp.x must be an object, got 5."],
    [{}, '1:13: mcp.x.type is missing: it must be "local" or "remote".'],
    [{ type: "stdio" }, '1:21: mcp.x.type must be "local" or "remote", got "stdio".'],
    [
      { type: "local", command: "npx" },
      "mcp.x.command must be an array: the program, then its arguments, got a string.",
    ],
    [{ type: "local", command: [] }, "mcp.x.command must name a program, got an array."],
    [
      { type: "local", command: ["a"], enviroment: {} },
      'Unknown key "enviroment" in mcp.x. Did you mean "environment"?',
    ],
    [{ type: "remote", url: "ftp://a" }, 'mcp.x.url must be an http or https URL, got "ftp://a".'],
    [{ type: "remote", url: "https://a", oauth: { clientID: "a" } }, 'in mcp.x.oauth. Did you mean "clientId"?'],
    ...[
      "",
      "pawl.json",
      "http://a/pawl.json",
      "https://a",
      "https://a/",
      "https://a/pawl.json#x",
      "https://me:secret@a/pawl.json",
    ].map((clientMetadataUrl): [object, string] => [
      { type: "remote", url: "https://a", oauth: { clientMetadataUrl } },
      "mcp.x.oauth.clientMetadataUrl must be an https URL with a path, without credentials and fragment",
    ]),
    [{ type: "remote", url: "https://a", timeout: -1 }, "mcp.x.timeout must be a whole number of milliseconds"],
  ])("are refused as %j, with line, column and key", async (server, message) => {
    const problems = await problemsOf({ x: server })

    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^PAWL_CONFIG_CONTENT:1:\d+: /)
    expect(problems[0]).toContain(message)
  })

  it("replace one another whole, and are switched by `enabled` alone", () => {
    const low = { type: "local", command: ["a"], environment: { A: "1" } } as const
    const high = { type: "remote", url: "https://a" } as const
    const merged = (mcp: object) =>
      mergeLayers([
        { source: "low", config: { mcp: { x: { ...low, command: ["a"] } } } },
        { source: "high", config: { mcp: { x: mcp } } as never },
      ]).config.mcp?.["x"]

    expect(merged(high)).toEqual(high)
    expect(merged({ enabled: false })).toEqual({ ...low, enabled: false })
  })
})
