import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

it("lists the sessions of a directory newest first, and shows what was said", async () => {
  const { pawl, project } = await desk()
  const elsewhere = join(project, "elsewhere")
  await mkdir(elsewhere)
  await pawl("run", "-m", "replay/hello", "first", "task")
  await pawl("run", "-m", "replay/hello", "--title", "Second", "second task")
  await pawl("run", "-m", "replay/hello", "--dir", "elsewhere", "third task")

  const here = jsonLines((await pawl("session", "list", "--format", "json")).stdout)
  const newest = await pawl("session", "list", "-n", "1")
  const everywhere = await pawl("session", "list", "--all")
  const [, id] = here.map(({ id }) => String(id))
  const shown = await pawl("session", "show", id ?? "")
  const whole = jsonLines((await pawl("session", "show", "--format", "json", id ?? "")).stdout)

  expect(here.map(({ title }) => title)).toEqual(["Second", "first task"])
  expect(newest.stdout).toMatch(/^ses_\w+ {2}now {2}Second\n$/)
  expect(everywhere.stdout.split("\n")[0]).toMatch(new RegExp(`third task +${elsewhere}$`))
  expect(shown.stdout).toContain("> first task\n")
  expect(shown.stdout).toContain("Hello! I am a script")
  expect(whole.map(({ info }) => (info as { role: string }).role)).toEqual(["user", "assistant"])
})

it("says so when there are none", async () => {
  const { pawl } = await desk()

  const { code, stdout, stderr } = await pawl("session", "list")

  expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
  expect(stderr).toContain("No sessions of")
})

it("says which agent a session continues with, if that is not the usual one and was not named", async () => {
  const { pawl } = await desk()
  const run = async (...args: string[]) => (await pawl("run", "-m", "replay/hello", ...args, "go")).stderr
  const notice = "The session continues with the agent plan. To change it: --agent build\n"
  expect(await run("--agent", "plan")).not.toContain("continues with")
  expect(await run("-c")).toContain(notice)
  expect(await run("-c", "--agent", "plan")).not.toContain("continues with")
  expect(await run("-c", "--agent", "build")).not.toContain("continues with")
  expect(await run("-c")).not.toContain("continues with")
})

it("repeats --config in the command that continues a session", async () => {
  const { pawl, project } = await desk()
  await writeFile(join(project, "team.jsonc"), "{}")
  const { stderr } = await pawl("--config", "team.jsonc", "run", "-m", "replay/hello", "go")
  expect(stderr).toMatch(/go on: pawl run -c --config team\.jsonc "…"\n/)
})

it("asks for a model where only its address is named", async () => {
  const { pawl } = await desk()
  const { code, stderr } = await pawl("run", "--base-url", "http://127.0.0.1:1/v1", "go")
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("Name one of its models with -m <model>."),
  })
  expect(stderr).not.toContain("OPENAI_API_KEY")
})
