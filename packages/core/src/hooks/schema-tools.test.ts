import { cp, mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z as own } from "zod"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { PluginHooks } from "./plugin.ts"

let directory = ""
let other: typeof own

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-zod-"))
  const source = dirname(createRequire(import.meta.url).resolve("zod/package.json"))
  const isNeeded = (path: string) => !path.includes("/src/") && !/\.c?ts$/.test(path)
  await cp(source, join(directory, "node_modules/zod"), { recursive: true, dereference: true, filter: isNeeded })
  const url = pathToFileURL(join(directory, "node_modules/zod/index.js")).href
  ;({ z: other } = (await import(/* @vite-ignore */ url)) as { z: typeof own })
})
afterAll(() => rm(directory, { recursive: true }))

/** As a kit gives it whose schemas come from a copy of zod of its own. */
const paint = (z: typeof own, execute: (args: never, context: never) => unknown) => ({
  description: "Paints.",
  args: {
    colour: z.string().describe("Which"),
    coats: z.coerce.number().max(5).default(2),
    where: z.enum(["wall", "door"]).optional(),
  },
  execute,
})

async function calling(tool: object, input: object, form: "table" | "function" = "table") {
  const model = answeringModel(({ n }) => (n === 0 ? [called("paint", input)] : said("Done.")))
  const hooks = { tool: form === "table" ? { paint: tool } : () => ({ paint: tool }) } as PluginHooks
  await using test = await testEngine({ model, plugins: [{ id: "painter", plugin: () => hooks }] })
  await test.ask("Paint")
  const [part] = await test.parts("tool")
  const problems = test.events.flatMap(({ type, properties }) => (type === "plugin.error" ? [properties] : []))
  return { definition: model.requests[0]?.tools[0], state: part?.state, problems }
}

describe.each(["another copy of zod", "the engine's own"])("a tool with schemas of %s", (whose) => {
  const z = () => (whose === "the engine's own" ? own : other)

  it.each(["table", "function"] as const)("is offered and run, from a %s", async (form) => {
    const { definition, state, problems } = await calling(
      paint(z(), async (args: object) => JSON.stringify(args)),
      { colour: "red", coats: "3" },
      form,
    )
    expect(problems).toEqual([])
    expect(definition).toMatchObject({
      description: "Paints.",
      inputSchema: {
        type: "object",
        required: ["colour"],
        additionalProperties: false,
        properties: { colour: { type: "string", description: "Which" }, where: { enum: ["wall", "door"] } },
      },
    })
    expect(state).toMatchObject({ status: "completed", output: '{"colour":"red","coats":3}' })
  })

  it.each([
    [{ coats: 9 }, ["colour: ", "coats: "]],
    [{ colour: "red", color: "red" }, ["color: there is no such argument"]],
    [{ colour: "red", where: "roof" }, ["where: "]],
  ])("is not run with %j", async (input, words) => {
    const { state } = await calling(
      paint(z(), () => "painted"),
      input,
    )
    const { error = "" } = state as { readonly error?: string }
    for (const word of words) expect(error).toContain(word)
  })
})

it("a tool of schemas finds what it knows of its call, and may give more than a text", async () => {
  const { state } = await calling(
    paint(
      other,
      async (_args, context: { abort: AbortSignal; metadata: (update: object) => void; directory: string }) => {
        context.metadata({ title: "Half way" })
        return { title: "Done", output: `${context.abort.aborted} ${context.directory.length > 0}`, metadata: { n: 1 } }
      },
    ),
    { colour: "red" },
  )
  expect(state).toMatchObject({ title: "Done", output: "false true", metadata: { n: 1 } })
})

it("a tool whose arguments are no schemas is left out, and told of", async () => {
  const { definition, problems } = await calling(
    { description: "", args: { a: { type: "string" } }, execute: () => "" },
    {},
  )
  expect(definition).toBeUndefined()
  expect(problems).toMatchObject([{ hook: "tool", message: expect.stringContaining('"paint" cannot be offered') }])
})
