import { describe, expect, it } from "vitest"
import { readServer } from "./read-servers.ts"

describe("a server's configuration", () => {
  it("is read in OpenCode's form, with what is left open filled in", () => {
    expect(readServer("files", { type: "local", command: ["npx", "-y", "files"], timeout: 5000 })).toEqual({
      config: {
        type: "local",
        command: ["npx", "-y", "files"],
        environment: {},
        enabled: true,
        timeouts: { connect: 5000, list: 5000, call: 5000 },
      },
      problems: [],
    })
  })

  it("has no deadline of its own for calls unless it names one", () => {
    const { config } = readServer("web", { type: "remote", url: "https://example.com/mcp", timeouts: { connect: 0 } })

    expect(config).toMatchObject({ transport: "auto", headers: {}, timeouts: { connect: 0, list: 30_000 } })
    expect(config?.timeouts.call).toBeUndefined()
  })

  it.each([
    ["text", "mcp.x: must be an object."],
    [{ command: ["a"] }, 'mcp.x.type: must be "local" or "remote".'],
    [{ type: "local", command: "npx" }, "mcp.x.command: must be an array of texts: the program, then its arguments."],
    [{ type: "local", command: [] }, "mcp.x.command: must not be empty."],
    [{ type: "local", command: ["a"], environment: { KEY: 5 } }, "mcp.x.environment.KEY: must be a text."],
    [{ type: "remote", url: "ftp://a" }, "mcp.x.url: must be an http or https URL."],
    [
      { type: "remote", url: "https://a", oauth: { clientMetadataUrl: "https://a" } },
      "mcp.x.oauth.clientMetadataUrl: must be an https URL with a path",
    ],
    [{ type: "remote", url: "https://a", timeout: -1 }, "mcp.x.timeout: must not be negative."],
    [{ type: "remote", url: "https://a", oauth: true }, "mcp.x.oauth: must be false, or an object"],
  ])("%j is refused, with server and key", (given, message) => {
    const { config, problems } = readServer("x", given)

    expect(config).toBeUndefined()
    expect(problems[0]?.message).toContain(message)
  })

  it("may have keys that are not known: it works, and they are told", () => {
    const { config, problems } = readServer("x", { type: "local", command: ["a"], enviroment: {} })

    expect(config).toBeDefined()
    expect(problems[0]?.message).toContain("mcp.x.enviroment: is an unknown key")
  })

  it("of which only a switch is left is no server, and no problem", () => {
    expect(readServer("x", { enabled: false })).toEqual({ problems: [] })
  })
})
