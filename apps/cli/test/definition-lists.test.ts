import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

async function place() {
  const here = await desk()
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(here.project, path)), { recursive: true })
    await writeFile(join(here.project, path), content)
  }
  return { ...here, write }
}

it("lists agents with what they are for, who chooses them, and where they are defined", async () => {
  const { pawl, write } = await place()
  await write(".pawl/agent/reviewer.md", "---\ndescription: Reviews\nmode: subagent\n---\nReview.")
  await write("pawl.jsonc", '{ "agent": { "plan": { "model": "a/b" }, "build": { "disable": true } } }')

  const shown = await pawl("agent", "list")
  const listed = jsonLines((await pawl("agent", "list", "--format", "json")).stdout)

  expect(shown.code).toBe(0)
  expect(shown.stdout).toContain("reviewer  Reviews\n          subagent · .pawl/agent/reviewer.md\n")
  expect(shown.stdout).toContain("primary · a/b · built-in · pawl.jsonc\n")
  expect(listed.map(({ name, mode }) => [name, mode])).toEqual([
    ...[
      ["plan", "primary"],
      ["general", "subagent"],
      ["explore", "subagent"],
      ["reviewer", "subagent"],
    ],
  ])
})

it("lists commands, those of pawl's own too, and says what works on them", async () => {
  const { pawl, write } = await place()
  await write(".pawl/command/team/ship.md", "---\ndescription: Ships\nagent: plan\n---\nShip $1")

  const shown = await pawl("command", "list")
  const listed = jsonLines((await pawl("command", "list", "--format", "json")).stdout)

  expect(shown.stdout).toContain("/team/ship  Ships\n            plan · .pawl/command/team/ship.md\n")
  expect(shown.stdout).toContain("subtask of general · built-in\n")
  expect(listed.map(({ name, subtask }) => [name, subtask])).toEqual([
    ...[
      ["compact", false],
      ["init", false],
      ["review", true],
      ["team/ship", false],
    ],
  ])
})

it("lists skills, and tells what is wrong with definitions on stderr alone", async () => {
  const { pawl, write } = await place()
  await write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Use for \u001B[31mPDF\n---\nText")
  await write(".pawl/skill/broken/SKILL.md", "---\ndescription: x\n---\nText")

  const { code, stdout, stderr } = await pawl("skill", "list")

  expect(code).toBe(0)
  expect(stdout).toContain("pdf  Use for")
  expect(stdout).not.toContain("\u001B")
  expect(stderr).toContain(".pawl/skill/broken/SKILL.md")
  expect(stderr).toContain("The skill has no name")
})

it("says so where there are none", async () => {
  const { pawl } = await place()
  expect(await pawl("skill", "list")).toMatchObject({ code: 0, stdout: "", stderr: "No definitions found.\n" })
})

it("shows agents in their colors, in lists and at work, where colors are wanted", async () => {
  await using server = await modelServer({
    replies: [
      reply(call("task", { subagent_type: "scout", description: "Look", prompt: "Look" })),
      reply(call("list", {})),
      reply(text("Seen.")),
      reply(text("Done.")),
    ],
  })
  const place = await desk()
  const config = { agent: { scout: { color: "#ff0000", mode: "subagent", prompt: "Scout." } } }
  await writeFile(join(place.configuration, "pawl.json"), JSON.stringify(config))
  const red = "\u001b[38;5;196m"

  expect((await place.pawl("agent", "list")).stdout).not.toContain("\u001b")
  expect(jsonLines((await place.pawl("agent", "list", "--format", "json")).stdout)).toContainEqual(
    expect.objectContaining({ name: "scout", color: "#ff0000" }),
  )
  Object.assign(place.environment, { FORCE_COLOR: "1" })
  expect((await place.pawl("agent", "list")).stdout).toContain(`${red}scout\u001b[39m`)
  const { stderr } = await place.pawl("run", "-m", "custom/test", "--base-url", server.url, "Look around.")
  expect(stderr).toContain(`${red} scout\u001b[39m · Look`)
  expect(stderr).toContain(`${red}scout ›\u001b[39m`)
  await writeFile(join(place.configuration, "pawl.json"), JSON.stringify({ agent: { scout: { color: "rde" } } }))
  expect((await place.pawl("agent", "list")).stderr).toContain("agent.scout.color must be a color's name")
})
