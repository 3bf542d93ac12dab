import { execFileSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

async function repository() {
  const place = await desk()
  execFileSync("git", ["init", "-q"], { cwd: place.project })
  await writeFile(join(place.project, "a.txt"), "one\n")
  return place
}

async function planned(place: Awaited<ReturnType<typeof desk>>, command: string) {
  await using server = await modelServer({ replies: [reply(call("bash", { command })), reply(text("Done."))] })
  const run = await place.pawl("run", "--agent", "plan", "-m", "custom/test", "--base-url", server.url, "look")
  return { ...run, requests: JSON.stringify(server.requests.at(-1)?.body) }
}

it("lets the agent plan read where nobody can be asked, and nothing else", async () => {
  const place = await repository()

  const read = await planned(place, "git status --short && cat a.txt | sort")
  const write = await planned(place, "cat a.txt | sort -o b.txt")
  const other = await planned(place, "git status && npm test")

  expect(read).toMatchObject({ code: 0, stdout: "Done.\n" })
  expect(read.requests).toContain("?? a.txt\\none")
  expect(write.requests).toContain("denies edit")
  expect(other.code).toBe(3)
})

it("asks for what the user wants to be asked about, and for files outside of the project", async () => {
  const place = await repository()
  await writeFile(
    join(place.configuration, "pawl.jsonc"),
    '{ "permission": { "bash": { "git *": "ask", "cat *": "deny" } } }',
  )

  expect((await planned(place, "ls")).code).toBe(0)
  expect((await planned(place, "ls; git status")).code).toBe(3)
  expect((await planned(place, "head /etc/hostname")).code).toBe(3)
  expect((await planned(place, "ls; cat a.txt")).requests).toContain("denies bash")
})

it("says so", async () => {
  const place = await repository()
  const why = (...args: string[]) => place.pawl("permissions", "why", "bash", ...args, "--agent", "plan")

  const read = await why("git log --oneline")

  expect(read.code).toBe(0)
  expect(read.stdout).toContain('ask bash "*" · agent plan (it only reads)')
  expect((await why("git log --output=x")).code).toBe(3)
  expect(jsonLines((await why("git diff --ext-diff", "--format", "json")).stdout)).toMatchObject([{ action: "ask" }])
})
