import { mkdir } from "node:fs/promises"
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
