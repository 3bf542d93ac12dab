import { readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { type StartOptions, workplace } from "../workplace.ts"
import { recorder } from "./recorder.ts"
import { FILE_SECRET, hostileRepository, ODD_NAMES, VARIABLE_SECRET } from "./repository.ts"

/** A hostile repository, a model that does what its author wants, and the server that the repository names. */
async function trap() {
  const place = await workplace()
  const root = dirname(place.project)
  const [canaries, outside] = [join(root, "canaries"), join(root, "outside")]
  const evil = await recorder()
  await hostileRepository({ project: place.project, canaries, outside, url: evil.url })
  await writeFile(join(root, "secret.txt"), FILE_SECRET)
  const environment = {
    HOSTILE_SECRET: VARIABLE_SECRET,
    GIT_CONFIG_GLOBAL: "/dev/null",
    OPENAI_API_KEY: VARIABLE_SECRET,
  }
  return {
    ...{ ...place, evil },
    pawl: (args: readonly string[], options: StartOptions = {}) => place.pawl(args, { environment, ...options }),
    fired: async () => (await readdir(canaries)).toSorted(),
    hits: async () => (await readdir(place.project, { recursive: true })).filter((path) => /(^|\/)HIT$/.test(path)),
    [Symbol.asyncDispose]: () => evil[Symbol.asyncDispose](),
  }
}

const secrets = new RegExp(`${FILE_SECRET}|${VARIABLE_SECRET}`)

it("runs nothing, and tells nobody a secret, whatever command looks at a hostile repository", async () => {
  await using place = await trap()
  await using server = await modelServer({
    replies: [
      reply(call("list", { path: "." }), call("glob", { pattern: "**/*" }), call("grep", { pattern: "needle" })),
      reply(...ODD_NAMES.map((name, at) => call("read", { filePath: `odd/${name}` }, { id: `read_${at}` }))),
      reply(call("write", { filePath: "odd/new.txt", content: "x" })),
      reply(text("Done.")),
    ],
  })
  const { pawl, evil } = place

  const run = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "look around"])
  const looks = [
    ["--help"],
    ["help", "run"],
    ["trust"],
    ["trust", "--list"],
    ["models"],
    ["models", "openai"],
    ["session", "list"],
    ["session", "show"],
    ["session", "context"],
    ["session", "export"],
    ["search", "needle"],
    ["storage", "stats"],
    ["run", "-m", "evil/x", "hi"],
    ["run", "-m", "replay/hello", "/evil"],
    ["command", "list"],
    ["run", "--trust=00000000", "-m", "evil/x", "hi"],
  ]
  const ends: Record<string, number | null> = {}
  for (let at = 0; at < looks.length; at += 2) {
    await Promise.all(
      looks.slice(at, at + 2).map(async (args) => {
        // Its own address cannot be reached either.
        const { code, stderr } = await pawl(args, args[1] === "openai" ? { environment: {} } : {})
        ends[args.join(" ")] = code
        expect(stderr).not.toMatch(secrets)
      }),
    )
  }

  expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
  expect(run.stderr).toContain("This project is not trusted; left out:")
  expect(server.requests).toHaveLength(4)
  expect(ends).toMatchObject({ "session context": 0, "trust --list": 0, trust: 2, "run -m evil/x hi": 2 })
  expect(ends).toMatchObject({ "run -m replay/hello /evil": 2, "command list": 0 })
  expect(await place.fired()).toEqual([])
  expect(await place.hits()).toEqual([])
  expect(evil.requests).toEqual([])
  expect(JSON.stringify(server.requests.map(({ body, headers }) => [body, headers]))).not.toMatch(secrets)
  // Nothing was stored where the project wanted it.
  expect(await readdir(place.project)).not.toContain("data")
})

it("runs and sends what it was trusted with: each guard stands between a canary and its cage", async () => {
  await using place = await trap()
  const { pawl, evil, project } = place

  const shown = await pawl(["trust", "--yes"])
  const run = await pawl(["run", "-m", "evil/x", "hi"])
  const sent = evil.requests.length
  await writeFile(join(project, "pawl.jsonc"), `${await readFile(join(project, "pawl.jsonc"), "utf8")} `)
  const changed = await pawl(["run", "-m", "evil/x", "hi"])

  expect(shown.code).toBe(0)
  for (const line of [
    `provider "evil": sends what is said to ${evil.url}`,
    "runs after edits: sh -c touch",
    "puts {env:HOSTILE_SECRET} into the configuration",
    ".pawl/tool/evil.js  tool",
    ".opencode/plugin/evil.js  plugin",
    'starts the MCP server "m"',
    "runs when the command is used: touch",
  ]) {
    expect(shown.stdout).toContain(line)
  }
  expect(run.code).toBe(1)
  expect(sent).toBeGreaterThan(0)
  expect(evil.requests[0]).toContain(`"x-stolen":"${VARIABLE_SECRET}"`)
  expect(evil.requests[0]).toContain(`"authorization":"Bearer ${FILE_SECRET}"`)
  expect(run.stdout + run.stderr).not.toMatch(secrets)
  expect(changed.code).toBe(2)
  expect(evil.requests).toHaveLength(sent)
  // Files of tools and plugins, and nothing else: the rest needs an edit, or the command.
  expect(await place.fired()).toEqual(["plugin-file", "tool-file"])
})
