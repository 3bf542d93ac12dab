import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { type Running, workplace } from "./workplace.ts"

/** A run whose first step waits until the test lets it go on, with a configuration for OpenCode that the test writes. */
async function place() {
  const there = await workplace()
  const wait = "until [ -e go-on ]; do sleep 0.05; done"
  const server = await modelServer({
    replies: [
      reply(call("bash", { command: wait, timeout: 600_000 })),
      reply(call("bash", { command: "echo second" })),
      reply(text("Done.")),
    ],
  })
  const file = join(there.configuration, "opencode.json")
  const config = (said: string, changes: object) => ({
    permission: { "*": "allow" },
    agents: { build: { prompt: said } },
    provider: { custom: { options: { baseURL: server.url, headers: { "x-said": said } } } },
    ...changes,
  })
  const write = (content: string) => writeFile(file, content)
  await write(JSON.stringify(config("before", {})))
  return {
    ...{ ...there, server, write, config },
    start: () => there.start(["run", "-m", "custom/test", "--config", file, "go"]),
    goOn: () => writeFile(join(there.project, "go-on"), ""),
    sent: (index: number) => JSON.stringify(chatRequest(server.requests.at(index)).messages),
    async firstRequest(running: Running) {
      const ended = running.finished.then(({ stderr }) => {
        if (server.requests.length === 0) throw new Error(`pawl ended without a request:\n${stderr}`)
      })
      while (server.requests.length === 0) await Promise.race([sleep(50), ended])
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

type Place = Awaited<ReturnType<typeof place>>

/** Writes again, with another byte, until pawl has seen it: watching begins only when a run has lasted for a while. */
async function rewrittenUntil(running: Running, said: string, { write }: Place, content: string) {
  const told = running.said(said).then(() => true)
  for (let count = 0; !(await Promise.race([told, sleep(400, false)])); count++) {
    await write(`${content}${"\n".repeat(count % 2)}`)
  }
}

const READ = "Tools, agents and configuration were read again."

/** What is changed while a step runs, and how its session shows that. */
const changes: readonly {
  readonly what: string
  readonly after: object
  readonly shows: (place: Place, stderr: string) => void
}[] = [
  {
    what: "the agent's prompt",
    after: {},
    shows: ({ sent }) => {
      expect(sent(0)).toContain("before")
      expect(sent(1)).toContain("after")
    },
  },
  {
    what: "a provider's options",
    after: {},
    shows: ({ server }) => {
      expect(server.requests.map(({ headers }) => headers["x-said"])).toEqual(["before", "after", "after"])
    },
  },
  {
    what: "permission rules",
    after: { permission: { "*": "allow", bash: { "*second*": "deny" } } },
    shows: ({ sent }) => {
      expect(sent(2)).toContain("echo second")
      expect(sent(2)).toMatch(
        /"role":"tool","tool_call_id":"call_\d+","content":"[^"]*(?:not allow|refuse|denied|deny|rule)/,
      )
    },
  },
  {
    what: "instructions",
    after: { instructions: ["./more.md"] },
    shows: ({ sent }) => expect(sent(1)).toContain("More to know."),
  },
  {
    what: "limits and fallback models, which end nothing that is under way",
    after: { limits: { steps: 1 }, fallback: ["custom/other"] },
    shows: ({ server }) => expect(server.requests).toHaveLength(3),
  },
  {
    what: "what an engine is made with, only at the next start, and that is said",
    after: { compaction: { auto: false }, tool_output: { max_lines: 5 } },
    shows: (_, stderr) => {
      expect(stderr).toContain("Only the next start works with what changed of compaction, tool_output.")
    },
  },
]

it("works at the next step with all that may change while a session runs", async () => {
  await using here = await place()
  await writeFile(join(here.configuration, "more.md"), "More to know.")
  const running = here.start()
  await here.firstRequest(running)

  const after = Object.assign({}, ...changes.map((each) => each.after)) as object
  await rewrittenUntil(running, READ, here, JSON.stringify(here.config("after", after)))
  await here.goOn()
  const { code, stderr } = await running.finished

  expect(code).toBe(0)
  for (const { what, shows } of changes) {
    try {
      shows(here, stderr)
    } catch (error) {
      throw new Error(`${what}: ${(error as Error).message}`, { cause: error })
    }
  }
})

it("keeps the last good state while a file is broken, and says so once", async () => {
  await using here = await place()
  const running = here.start()
  await here.firstRequest(running)

  await rewrittenUntil(running, "What has changed does not count", here, '{ "permission": 1 }')
  for (let count = 0; count < 3; count++) {
    await here.write(`{ "permission": 1 }${" ".repeat(count)}`)
    await sleep(300)
  }
  await rewrittenUntil(running, READ, here, JSON.stringify(here.config("after", {})))
  await here.goOn()
  const { stderr, code } = await running.finished

  expect(code).toBe(0)
  expect(stderr.split("does not count")).toHaveLength(2)
  expect(stderr).toContain("opencode.json:1:17: permission must be")
})
