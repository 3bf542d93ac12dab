import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { everythingServer } from "./mcp/servers.ts"
import { workplace } from "./workplace.ts"

const DOCUMENT = new URL("../../../docs/mcp.md", import.meta.url)

async function blocks(language: string): Promise<string[]> {
  const found = (await readFile(DOCUMENT, "utf8")).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))
  return [...found].map(([, block = ""]) => block)
}

it("leads to a working server as it says", async () => {
  const { pawl } = await workplace()
  const [first = ""] = await blocks("sh")
  await using server = await modelServer({
    replies: [reply(call("everything_get-sum", { a: 2, b: 3 })), reply(text("5."))],
  })
  const installed = everythingServer.command.join(" ")
  const commands = first
    .trim()
    .split("\n")
    .map((line) => line.replace("npx -y @modelcontextprotocol/server-everything", installed))
    .map((line) => line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [])

  const [added, listed, called] = [
    await pawl(commands[0]?.slice(1) ?? []),
    await pawl(commands[1]?.slice(1) ?? []),
    await pawl(commands[2]?.slice(1) ?? []),
  ]
  const run = await pawl([...(commands[3]?.slice(1) ?? []), "-m", "custom/test", "--base-url", server.url])

  expect(added.code).toBe(0)
  expect(listed.stdout).toContain("everything_get-sum")
  expect(called).toMatchObject({ code: 0, stdout: "The sum of 2 and 3 is 5.\n" })
  expect(run).toMatchObject({ code: 0, stdout: "5.\n" })
  expect(JSON.stringify(chatRequest(server.requests[1]).messages.at(-1))).toContain("The sum of 2 and 3 is 5.")
})

it("shows configurations that can be used", async () => {
  const { pawl, configuration, project } = await desk()
  for (const block of await blocks("jsonc")) {
    await writeFile(join(configuration, "pawl.jsonc"), block)
    const { code, stdout, stderr } = await pawl("mcp", "list", "--offline")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/^tracker {2}/m)
  }
  const [served = ""] = await blocks("json")
  await writeFile(join(project, "other.json"), served)
  expect((await pawl("mcp", "import", "other.json")).code).toBe(0)
})

it("names commands that there are", async () => {
  const { pawl } = await desk()
  const named = [...(await readFile(DOCUMENT, "utf8")).matchAll(/pawl mcp ([a-z]+)/g)].map(([, name = ""]) => name)
  for (const name of new Set(named)) expect((await pawl("mcp", name, "--help")).code).toBe(0)
})
