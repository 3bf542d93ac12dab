import type { ServerReport } from "@pawl/plugin-mcp"
import { describe, expect, it } from "vitest"
import { createTheme } from "@pawl/terminal-text/theme"
import { columnsOf } from "@pawl/terminal-text/width"
import { type ListedServer, serverLines } from "./server-lines.ts"

const theme = createTheme(false)

function listed(
  report: Partial<ServerReport> & Pick<ServerReport, "status">,
  more: Partial<ListedServer> = {},
): ListedServer {
  const whole = { name: "files", type: "local", tools: 0, waiting: [], ...report } as ServerReport
  return { report: whole, target: "npx -y files-mcp .", source: "pawl.jsonc", ...more }
}

describe("a server in a list", () => {
  it.each([
    [{ status: "connected", transport: "stdio", tools: 1 }, "connected over stdio · 1 tool"],
    [{ status: "connected", transport: "http", tools: 3, waiting: ["rm"] }, "held back: rm (pawl mcp allow files)"],
    [{ status: "not_started", tools: 0 }, "not started · tools not known"],
    [{ status: "connecting", tools: 2 }, "no answer yet · 2 tools"],
    [{ status: "disabled" }, "switched off"],
    [{ status: "awaiting_approval", reason: "unknown" }, "not allowed yet: pawl mcp allow files"],
    [{ status: "awaiting_approval", reason: "changed" }, "changed since it was allowed: pawl mcp allow files"],
    [{ status: "needs_auth" }, "requires authorization: pawl mcp auth files"],
    [{ status: "failed", error: "It ended." }, "It ended."],
  ] as const)("that is %j says so, and what to do", (report, text) => {
    const [first, second] = serverLines([listed(report)], { columns: 100, theme })

    expect(first).toContain(text)
    expect(second).toBe("       pawl.jsonc · npx -y files-mcp .")
  })

  it("fits a narrow screen, and has nothing in it that a terminal obeys", () => {
    const error = `The MCP server "files" could not be connected: ${"a long reason ".repeat(6)}\u001B[2J`
    const lines = serverLines([listed({ status: "failed", error } as never, { target: "x".repeat(200) })], {
      columns: 40,
      theme,
    })

    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(40)
    expect(lines.join("")).not.toContain("\u001B")
  })

  it("tells of tokens that are there", () => {
    const server = listed({ status: "connected", transport: "http", tools: 2 } as never, { isSignedIn: true })

    expect(serverLines([server], { columns: 80, theme })[0]).toBe("files  connected over http · 2 tools · signed in")
  })
})
