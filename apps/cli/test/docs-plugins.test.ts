import { execFile } from "node:child_process"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { hookMap } from "@pawl/core/schemas"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const KIT = fileURLToPath(new URL("../../../packages/plugin-kit", import.meta.url))
const read = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8")

/** The files that a document shows: a name on a line of its own, and the block below it. */
async function written(name: string, project: string): Promise<string[]> {
  const found = [...(await read(name)).matchAll(/^`([^`\n]+)`:\n\n```\w+\n([^]*?)^```$/gm)]
  for (const [, path = "", content = ""] of found) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), content)
  }
  return found.map(([, path = ""]) => path)
}

describe("docs/plugins.md", () => {
  it("shows a plugin and tests that work as it says", async () => {
    const { project, pawl } = await workplace()
    const files = await written("plugins.md", project)
    await mkdir(join(project, "node_modules/@pawl"), { recursive: true })
    await symlink(KIT, join(project, "node_modules/@pawl/plugin"))
    await using server = await modelServer({
      replies: [
        reply(call("ticket", { number: 7 }), call("bash", { command: "git push --force" })),
        reply(text("Blue.")),
      ],
    })
    const env = {
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      NODE_OPTIONS: "--conditions=@pawl/source",
    }

    const { stdout: tested } = await promisify(execFile)(process.execPath, ["--test", ...files.slice(1)], {
      cwd: project,
      env,
    })
    const trusted = await pawl(["trust", "--yes"])
    const doctor = await pawl(["plugin", "doctor"])
    const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "What is ticket 7?"])

    expect(files).toEqual([
      ".pawl/plugin/ticket.ts",
      ...["ticket", "compaction"].map((name) => `.pawl/plugin-tests/${name}.test.ts`),
    ])
    expect(tested).toContain("pass 2\n")
    expect(trusted.code).toBe(0)
    expect(doctor.stdout).toMatch(
      /^● \.pawl\/plugin\/ticket\.ts\n {2}hooks tool\.execute\.before · 1 tool\n {2}trusted · loaded in .*, started in .*\n$/,
    )
    expect(run).toMatchObject({ code: 0, stdout: "Blue.\n" })
    const results = JSON.stringify(chatRequest(server.requests[1]).messages.slice(-2))
    expect(results).toContain("Ticket 7: the button is blue.")
    expect(results).toContain("Not with --force.")
  })

  it("names every hook, with its class", async () => {
    const table = (await read("plugins.md")).matchAll(/^\| (`[^|]+`) \| (\w+) \|/gm)
    const rows = [...table].flatMap(([, names = "", kind = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [name, kind] as const),
    )
    const known = Object.entries(hookMap).map(([name, row]) => [name, row.class] as const)
    expect(new Map(rows)).toEqual(new Map(known))
    expect(rows).toHaveLength(known.length)
  })
})

it("docs/from-opencode.md shows a plugin that works as it says", async () => {
  const { project, pawl } = await workplace()
  const files = await written("from-opencode.md", project)
  await using server = await modelServer({ replies: [reply(call("shout", { text: "hi" })), reply(text("Loud."))] })

  const run = await pawl(["run", "--trust", "-m", "custom/test", "--base-url", server.url, "go"])
  await pawl(["trust", "--yes"])
  const agents = await pawl(["agent", "list", "--format", "json"])

  expect(files).toEqual([".opencode/plugin/shout.ts"])
  expect(run).toMatchObject({ code: 0, stdout: "Loud.\n" })
  expect(JSON.stringify(server.requests[0]?.body)).toContain("Be loud.")
  expect(JSON.stringify(server.requests[1]?.body)).toContain("HI! (1.0, true)")
  expect(jsonLines(agents.stdout).map(({ name }) => name)).toContain("crier")
})
