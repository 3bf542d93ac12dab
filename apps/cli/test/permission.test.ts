import { access, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"

interface Written {
  readonly user?: object
  readonly project?: object
}

/** What the model reads when it wants to remove a file under these configurations, and whether the file is left. */
async function removal({ user = {}, project = {} }: Written) {
  const place = await desk()
  await using server = await modelServer({
    replies: [reply(call("bash", { command: "rm precious" })), reply(text("Well."))],
  })
  await writeFile(join(place.project, "precious"), "")
  await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify(user))
  await writeFile(join(place.project, "pawl.jsonc"), JSON.stringify(project))

  const { code } = await place.pawl("run", "-m", "custom/test", "--base-url", server.url, "clean up")
  const isLeft = await access(join(place.project, "precious")).then(
    () => true,
    () => false,
  )
  const told = server.requests[1] && chatRequest(server.requests[1]).messages.at(-1)?.content
  return { code, isLeft, told: typeof told === "string" ? told : "" }
}

const deny = { permission: { bash: { "*": "allow", "rm *": "deny" } } }
const allow = { permission: "allow" }
const exception = { permission: { bash: "deny" }, agent: { build: { permission: { bash: "allow" } } } }

describe("a command that one configuration denies", () => {
  it.each<[name: string, written: Written]>([
    ["by the user is not allowed by the project", { user: deny, project: allow }],
    ["by the project is not allowed by the user", { user: allow, project: deny }],
    ["by the project is not allowed for an agent of the user's", { user: { agent: { build: allow } }, project: deny }],
    ["by name for all is not allowed by a wider rule for the agent", { user: { ...deny, agent: { build: allow } } }],
    ["by the project is not allowed for an agent of the user's by name", { user: exception, project: deny }],
    ["by the user is not allowed by an exception of the project's", { user: deny, project: exception }],
    ["by the user for an agent is not allowed by the project", { user: { agent: { build: deny } }, project: allow }],
    [
      "by the user for an agent is not allowed for it by the project",
      { user: { agent: { build: deny } }, project: { agent: { build: allow } } },
    ],
  ])("%s", async (_name, written) => {
    const { code, isLeft, told } = await removal(written)

    expect({ code, isLeft }).toEqual({ code: 0, isLeft: true })
    expect(told).toMatch(/denies bash "rm precious"/)
  })
})

it("is run where nothing denies it", async () => {
  expect(await removal({ user: allow, project: allow })).toMatchObject({ code: 0, isLeft: false })
})

it.each<[name: string, written: Written]>([
  ["by the user", { user: exception }],
  ["by the project", { user: allow, project: exception }],
])("is run where one file denies it for all and allows it for the agent: %s", async (_name, written) => {
  expect(await removal(written)).toMatchObject({ code: 0, isLeft: false })
})

it.each<[name: string, written: Written]>([
  ["by the user, though the project allows it", { user: { permission: { bash: "ask" } }, project: allow }],
  [
    "by the user for an agent, though the project allows it",
    { user: { agent: { build: { permission: { bash: "ask" } } } }, project: { agent: { build: allow } } },
  ],
])("asks for a command that is to be asked for %s", async (_name, written) => {
  expect(await removal(written)).toMatchObject({ code: 3, isLeft: true })
})

it("does not let a project lift what is asked for unless told, and keeps what its rules say to each other", async () => {
  const place = await desk()
  await writeFile(join(place.project, ".env"), "SECRET=1")
  const permission = { "*": "allow", bash: { "*": "ask", "echo *": "allow" } }
  await writeFile(join(place.project, "pawl.jsonc"), JSON.stringify({ permission }))
  await using server = await modelServer({
    replies: [reply(call("bash", { command: "echo fine" })), reply(call("read", { filePath: ".env" }))],
  })

  const run = await place.pawl("run", "-m", "custom/test", "--base-url", server.url, "look")

  expect(run.code).toBe(3)
  expect(run.stderr).toContain("● bash echo fine")
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain("SECRET")
})

it("stops the run with exit code 3 where it has to be asked for", async () => {
  expect(await removal({ user: { permission: { bash: "ask" } } })).toMatchObject({ code: 3, isLeft: true })
})
