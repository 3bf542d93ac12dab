import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import type { PermissionAction } from "@pawl/core/permission"
import type { JSONObject, MessageWithParts } from "@pawl/core/record"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { cli } from "../src/cli.ts"
import { recordedAction } from "@pawl/reports/permissions/recorded-action"
import { capturedOutput, testHost } from "./host.ts"
import { type Desk, desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const RULES = {
  permission: {
    bash: { "*": "ask", true: "allow", "ls*": "allow", "echo *": "allow", "cat *": "allow", "rm *": "deny" },
    edit: { "*": "ask", "src/*": "allow", "secret/*": "deny" },
    task: "deny",
  },
  agent: { build: { permission: { task: { explore: "ask" } } } },
}

const rows: readonly [tool: string, input: JSONObject, action: PermissionAction][] = [
  ["bash", { command: "true" }, "allow"],
  ["bash", { command: "ls -a" }, "allow"],
  ["bash", { command: "lsof-is-no-ls" }, "ask"],
  ["bash", { command: "echo a > src/a.txt" }, "allow"],
  ["bash", { command: "echo a > a.txt" }, "ask"],
  ["bash", { command: "rm -rf build" }, "deny"],
  ["bash", { command: "true; rm -rf build" }, "deny"],
  // Each asks for something before what is denied.
  ["bash", { command: "echo a > a.txt; rm -rf build" }, "deny"],
  ["bash", { command: "make && rm -rf build" }, "deny"],
  ["bash", { command: "cat /etc/hostname; rm -rf build" }, "deny"],
  ["bash", { command: "echo a > a.txt; echo b > secret/b.txt" }, "deny"],
  ["bash", { command: "$UNSET x; rm -rf build" }, "deny"],
  ["bash", { command: "$UNSET x" }, "ask"],
  ["bash", { command: "cat /etc/hostname" }, "ask"],
  ["bash", { command: "make; cat /etc/hostname > a.txt" }, "ask"],
  ["write", { filePath: "src/b.txt", content: "b" }, "allow"],
  ["write", { filePath: "b.txt", content: "b" }, "ask"],
  ["write", { filePath: "secret/c.txt", content: "c" }, "deny"],
  ["write", { filePath: ".git/config", content: "" }, "ask"],
  ["edit", { filePath: "secret/c.txt", oldString: "a", newString: "b" }, "deny"],
  ["edit", { filePath: "../outside.txt", oldString: "a", newString: "b" }, "ask"],
  ["read", { filePath: ".env" }, "ask"],
  ["read", { filePath: "package.json" }, "allow"],
  ["task", { subagent_type: "general", description: "Look", prompt: "Look" }, "deny"],
]

async function ruled(): Promise<Desk> {
  const place = await desk()
  const { project, configuration } = place
  await mkdir(join(project, ".git"))
  await writeFile(join(project, ".env"), "A=1")
  await writeFile(join(project, "package.json"), "{}")
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify(RULES))
  return place
}

/** What became of every row in a run where the model calls all of them at once. */
async function recorded(place: Desk, run: (...args: readonly string[]) => Promise<unknown>) {
  await using server = await modelServer({
    replies: [reply(...rows.map(([tool, input]) => call(tool, input))), reply(text("Done."))],
  })
  await run("run", "-m", "custom/test", "--base-url", server.url, "work")
  const { stdout } = await place.pawl("session", "export", String((await place.sessions())[0]?.["id"]))
  const { sessions } = JSON.parse(stdout) as { sessions: { messages: MessageWithParts[] }[] }
  const found = sessions[0]?.messages.find(({ parts }) => parts.some(({ type }) => type === "tool"))
  const calls = found?.parts.filter((part) => part.type === "tool") ?? []
  return calls.map((part) => [part.tool, found && recordedAction(part, found)])
}

/** The command at a terminal whose user says yes to whatever is asked. */
async function atTerminal({ project, environment }: Desk, args: readonly string[]): Promise<number> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = capturedOutput({ isTerminal: true })
  const shown = stderr.stream as PassThrough
  shown.on("data", (written: Buffer) => {
    if (written.includes("allow? ")) stdin.write("y\n")
  })
  const host = testHost({ directory: project, environment, stdin: stdin as unknown as NodeJS.ReadStream })
  return cli(args, { ...host, stderr })
}

describe("a call", () => {
  const expected = rows.map(([tool, , action]) => [tool, action])

  it("is judged by pawl permissions why as the table says", async () => {
    const { pawl } = await ruled()
    const told: unknown[] = []
    for (const [tool, input] of rows) {
      const { stdout } = await pawl("permissions", "why", tool, JSON.stringify(input), "--format", "json")
      told.push([tool, jsonLines(stdout)[0]?.["action"]])
    }
    expect(told).toEqual(expected)
  })

  it("is refused at once as the table says where nobody can be asked", async () => {
    const place = await ruled()
    expect(await recorded(place, place.pawl)).toEqual(expected)
  })

  it("is asked for at a terminal as the table says, and not where any of it is denied", async () => {
    const place = await ruled()
    expect(await recorded(place, (...args) => atTerminal(place, args))).toEqual(expected)
  })
})
