import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

it("says what was used, by day, model, agent, tool and project", async () => {
  const { pawl, talk, project } = await desk()
  await talk("hi")
  await talk("again")

  const { code, stdout } = await pawl("stats")

  expect(code).toBe(0)
  expect(stdout).toMatch(/^day +steps +calls +in +cached +out +cost/m)
  expect(stdout).toMatch(/^replay\/hello +2 +0 /m)
  expect(stdout).toMatch(/^build +2 +0 /m)
  expect(stdout).toContain("2 steps, 0 tool calls, 2 requests")
  const rows = jsonLines((await pawl("stats", "--by", "project", "--format", "json")).stdout)
  expect(rows).toMatchObject([{ by: "project", name: project, steps: 2, cost: 0 }])
  expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(
    ["by", "name", "steps", "calls", "failed", "requests", "retries", "estimated", "tokens", "cost", "time"].toSorted(),
  )
})

it("counts what is asked for: a time, a directory", async () => {
  const { pawl, talk, project, data } = await desk()
  await talk("hi")

  expect((await pawl("stats", "--dir", data)).stderr).toContain("No usage yet")
  expect((await pawl("stats", "--dir", project, "--since", "1h", "--by", "day")).stdout).toContain("1 step,")
  expect((await pawl("stats", "--since", "soon")).code).toBe(2)
})

it("says so where nothing was used, also to programs", async () => {
  const { pawl } = await desk()

  expect(await pawl("stats")).toMatchObject({ code: 0, stdout: "" })
  expect(await pawl("stats", "--format", "json")).toMatchObject({ code: 0, stdout: "" })
})
