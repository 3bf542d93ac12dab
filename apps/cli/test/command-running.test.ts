import { access, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { workplace } from "./workplace.ts"

/** What the model reads of a command under this configuration, besides `shell`: a link to the system's sh of this name. */
async function commandIn(name: string, config: object) {
  const { pawl, configuration } = await desk()
  await using server = await modelServer({
    replies: [reply(call("bash", { command: "echo read by $0" })), reply(text("Well."))],
  })
  await symlink("/bin/sh", join(configuration, name))
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ shell: `./${name}`, ...config }))

  const run = await pawl("run", "-m", "custom/test", "--base-url", server.url, "go")
  const told = server.requests[1] && chatRequest(server.requests[1]).messages.at(-1)?.content
  return { ...run, told }
}

it("runs commands in the shell that the configuration names, relative to where it is written", async () => {
  const rules = { permission: { bash: { "*": "allow" } } }
  expect(await commandIn("dash", rules)).toMatchObject({ code: 0, told: "read by dash" })
  expect(await commandIn("bash", {})).toMatchObject({ code: 0, told: "read by bash" })
})

it("asks for each command that another shell than bash reads", async () => {
  const rules = { permission: { bash: { "echo *": "allow" } } }
  const { code, stderr, told } = await commandIn("dash", rules)
  expect({ code, told }).toEqual({ code: 3, told: undefined })
  expect(stderr).toContain('needs permission for bash "echo read by $0"')
})

it("runs a template's commands in it as well", async () => {
  const { pawl, configuration } = await desk()
  await using server = await modelServer({ replies: [reply(text("Well."))] })
  await symlink("/bin/sh", join(configuration, "dash"))
  const command = { who: { template: "Say !`echo read by $0`" } }
  const config = { shell: "./dash", command, permission: { bash: { "*": "allow" } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify(config))

  const run = await pawl("run", "-m", "custom/test", "--base-url", server.url, "/who")

  expect(run.code).toBe(0)
  expect(JSON.stringify(server.requests[0])).toContain("Say read by dash")
})

it("leaves the prompt of a command without a text to plugins, and refuses one that stays empty", async () => {
  const { pawl, configuration } = await desk()
  await using server = await modelServer({ replies: [reply(text("Well.")), reply(text("Well."))] })
  await mkdir(join(configuration, "plugin"))
  await writeFile(
    join(configuration, "plugin/swarm.js"),
    `export default async () => ({
      config: async (config) => { config.command = { swarm: { template: "" }, quiet: { template: "" } } },
      "command.execute.before": async ({ command, arguments: given }, { parts }) => {
        if (command === "swarm") parts.push({ type: "text", text: "swarm of " + given })
      },
    })`,
  )

  const filled = await pawl("run", "-m", "custom/test", "--base-url", server.url, "/swarm bees")
  const unnamed = await pawl("run", "-m", "custom/test", "--base-url", server.url, "--command", "swarm", "")
  const empty = await pawl("run", "-m", "custom/test", "--base-url", server.url, "--command", "quiet", "")

  expect(unnamed).toMatchObject({ code: 0, stdout: "Well.\n" })
  expect(JSON.stringify(server.requests[1])).toContain('swarm of "')
  expect(filled).toMatchObject({ code: 0, stdout: "Well.\n" })
  expect(JSON.stringify(server.requests[0])).toContain("swarm of bees")
  expect(empty.code).toBe(1)
  expect(empty.stderr).toContain('The command "quiet" made an empty prompt')
  expect(server.requests).toHaveLength(2)
})

it("gives a command as long to end as deadlines.abort_ms says", async () => {
  const { start, project, configuration } = await workplace()
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ deadlines: { abort_ms: 10_000 } }))
  // Longer than it would have otherwise.
  const command =
    "trap 'sleep 1.3; touch cleaned; exit' TERM; echo ready >&2; touch ready; while :; do sleep 0.05; done"
  await using server = await modelServer({ replies: [reply(call("bash", { command }))] })

  const { child, finished } = start(["run", "-m", "custom/test", "--base-url", server.url, "go"])
  await expect.poll(() => isThere(join(project, "ready"))).toBe(true)
  child.kill("SIGTERM")

  expect(await finished).toMatchObject({ code: 143 })
  expect(await isThere(join(project, "cleaned"))).toBe(true)
})

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
