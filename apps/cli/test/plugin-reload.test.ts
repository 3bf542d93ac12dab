import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { type Running, workplace } from "./workplace.ts"

const plugin = (answer: string) => `import { definePlugin, tool } from "@pawl/plugin"
export default definePlugin(() => ({ tool: { ask: tool({ description: "Asks", args: {}, execute: () => "${answer}" }) } }))
`

const TOOL = `import { tool } from "@pawl/plugin"
export default tool({ description: "Asks", args: {}, execute: () => "from the file" })`

const write = async (path: string, content: string) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function place() {
  const there = await workplace()
  const server = await modelServer({
    // The command waits until the test has seen what it waits for.
    replies: [
      reply(call("bash", { command: "until [ -e go-on ]; do sleep 0.05; done", timeout: 600_000 })),
      reply(call("ask", {})),
      reply(text("Done.")),
    ],
  })
  return {
    ...{ ...there, server },
    start: (...args: readonly string[]) =>
      there.start(["run", "-m", "custom/test", "--base-url", server.url, ...args, "go"]),
    goOn: () => writeFile(join(there.project, "go-on"), ""),
    sent: (index: number) => JSON.stringify(chatRequest(server.requests.at(index))),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Writes again, with another byte, until pawl has seen it: watching begins only when a run has lasted for a while. */
async function rewrittenUntil(running: Running, said: string, path: string, content: string): Promise<void> {
  const told = running.said(said).then(() => true)
  for (let count = 0; !(await Promise.race([told, sleep(400, false)])); count++) {
    await write(path, `${content}${"\n".repeat(count % 2)}`)
  }
}

function timesSaid({ child }: Running, text: string): () => number {
  let said = ""
  child.stderr?.on("data", (more: string) => (said += more))
  return () => said.split(text).length - 1
}

it("works with a plugin's new version at the next step, and keeps the old one where the new one is broken", async () => {
  await using here = await place()
  const file = join(here.configuration, "plugin/ask.ts")
  await write(file, plugin("one"))

  const running = here.start()
  await request(here.server)
  await rewrittenUntil(running, "was not loaded again, and goes on as it was", file, "export default {{{")
  await rewrittenUntil(running, "was loaded again", file, plugin("two"))
  await here.goOn()
  const { code } = await running.finished

  expect(code).toBe(0)
  expect(here.sent(-1)).toContain("two")
})

it("works with a tool file that is new, and with agents as they are changed", async () => {
  await using here = await place()
  const tool = join(here.configuration, "tool/ask.ts")
  const agent = join(here.configuration, "agent/build.md")
  await write(agent, "---\ndescription: b\n---\nBefore.")

  const running = here.start()
  const timesRead = timesSaid(running, "were read again")
  await request(here.server)
  await write(agent, "---\ndescription: b\n---\nAfter.")
  // The first time may be of a reading that had begun before the agent was written.
  for (let count = 0; timesRead() < 2; count++) {
    await write(tool, `${TOOL}${"\n".repeat(count % 2)}`)
    await sleep(400)
  }
  await here.goOn()
  await running.finished

  expect(here.sent(0)).toContain("Before.")
  expect(here.sent(1)).toContain("After.")
  expect(here.sent(-1)).toContain("from the file")
})

it("keeps a project's plugin as it was trusted, and says that trust has to be given again", async () => {
  await using here = await place()
  const file = join(here.project, ".pawl/plugin/ask.ts")
  await write(file, plugin("one"))

  const running = here.start("--trust")
  await request(here.server)
  await rewrittenUntil(running, "has changed since it was trusted, and goes on as it was", file, plugin("two"))
  await here.goOn()
  const { code } = await running.finished

  expect(code).toBe(0)
  expect(here.sent(-1)).toContain("one")
})

it("follows the user's own rules also while a project is not what was trusted", async () => {
  await using here = await place()
  const file = join(here.project, ".pawl/plugin/ask.ts")
  await write(file, plugin("one"))

  const running = here.start("--trust")
  await request(here.server)
  await rewrittenUntil(running, "has changed since it was trusted, and goes on as it was", file, plugin("two"))
  const own = join(here.configuration, "pawl.jsonc")
  await rewrittenUntil(running, "Your own rules were read again", own, '{ "permission": { "ask": "deny" } }')
  await here.goOn()
  await running.finished

  expect(here.sent(-1)).toContain('denies ask \\"*\\"')
})

async function request({ requests }: { readonly requests: readonly unknown[] }): Promise<void> {
  while (requests.length === 0) await sleep(20)
}
