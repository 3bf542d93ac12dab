import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { testEngine, type TestEngine } from "../engine-fixture.ts"
import { calls, said, textOf, told, windowModel } from "../window-model.ts"
import type { Model } from "../../src/provider.ts"
import { defineTool, type Tool } from "../../src/tool.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"

const LOOKS = 70

/** Tools whose results fill the state beside a summary, each with more than a small window has; all looks fill two windows. */
const work = (context: number): Tool[] => [
  tool("change", () => ({
    files: Array.from({ length: 1600 }, (_, n) => ({ file: `/repo/packages/p${n}/src/index.ts`, additions: 1 })),
  })),
  tool(
    "run",
    (n) => ({ exit: n % 2 }),
    (n) => `FAIL  src/${n}.test.ts > ${"a very long name ".repeat(8)}${n}\n Tests  1 failed`,
  ),
  tool("todowrite", () => ({})),
  tool("enter", (n) => ({ filepath: `sub${n}/file.ts` })),
  tool(
    "look",
    () => ({}),
    (n) => `${n}: ${"x".repeat((context * 4 * 2) / LOOKS)}`,
  ),
]

function tool(name: string, metadata: (n: number) => object, output = (n: number) => `done ${n}`): Tool {
  return defineTool<{ n: number }>({
    ...{ name, description: name, inputSchema: { type: "object", properties: {} }, effect: "unsafe" },
    parse: (input) => input as { n: number },
    async execute({ n }, { directory }) {
      const { filepath, ...more } = metadata(n) as { filepath?: string }
      const place = filepath === undefined ? {} : { filepath: join(directory, filepath) }
      return { title: name, output: output(n), metadata: { ...more, ...place } }
    },
  })
}

/** One of each of the calls, then looks until the end. */
function step(n: number) {
  const id = `call_${n}`
  if (n === 0) return calls("change", { n }, id)
  if (n < 40) return calls("run", { n, command: `npm test -- ${"--option ".repeat(15)}${n}` }, id)
  if (n < 44) return calls("enter", { n: n % 4 }, id)
  if (n === 44) {
    const todos = Array.from({ length: 600 }, (_, at) => {
      return { status: at < 500 ? "completed" : "pending", content: `Task ${at}: ${"do it well ".repeat(5)}` }
    })
    return calls("todowrite", { n, todos }, id)
  }
  return n < 45 + LOOKS ? calls("look", { n }, id) : said("Done.")
}

async function withPins({ engine, session }: TestEngine): Promise<void> {
  for (const word of ["alpha", "beta", "gamma", "delta"]) {
    await engine.pin(session.id, `The ${word} rule. ${"It holds always. ".repeat(230)}`)
  }
}

async function withInstructions({ session }: TestEngine): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await mkdir(join(session.directory, `sub${n}`), { recursive: true })
    await writeFile(join(session.directory, `sub${n}`, "AGENTS.md"), `Rule of sub${n}. ${"Mind the gap. ".repeat(80)}`)
  }
}

describe.each([8000, 16_000, 32_000, 200_000])("in a window of %s tokens", (context) => {
  async function played(model: Model, options: { readonly soft: number }) {
    const test = await testEngine({ model, tools: work(context), compaction: options })
    await withInstructions(test)
    await test.ask("Begin the work.")
    await withPins(test)
    await test.ask("Continue it.")
    return test
  }

  it.each([0.75, 1])("no state beside a summary ends a session or keeps a summary from use (soft %s)", async (soft) => {
    const model = windowModel({ context, agent: (_request, n) => step(n % (46 + LOOKS)) })
    await using test = await played(model, { soft })

    const compactions = told(test.events).filter(({ strategy }) => strategy !== "prune")
    expect(test.events.filter(({ type }) => type === "session.error")).toEqual([])
    expect(compactions.length).toBeGreaterThan(1)
    expect(new Set(compactions.map(({ strategy }) => strategy))).toEqual(new Set(["summary"]))
    const shown = textOf(model.asked.at(-1) as ModelRequest).replaceAll(/x{100,}/g, "")
    // Something of each is shown, and what is not is counted.
    const rules = ["alpha", "beta", "gamma", "delta"].map((word) => `The ${word} rule`)
    const titles = ["Files modified", "Tests that failed when last run", "Todo list", "sub3/AGENTS.md"]
    expect([...rules, ...titles].filter((text) => !shown.includes(text))).toEqual([])
    if (context <= 32_000) expect(shown).toMatch(/search for|more not shown/)
  })
})

it("begins no summary in the background when the fixed part alone leaves no room for one", async () => {
  const model = windowModel({ context: 32_000, agent: (_request, n) => step(45 + n) })
  const big = { ...tool("big", () => ({})), description: "y".repeat(88_000) }
  await using test = await testEngine({ model, tools: [...work(8000), big] })
  const result = await test.ask("Begin the work.")
  expect(result).toMatchObject({ type: "failed", error: { name: "ContextOverflowError" } })
  expect(model.summaries).toEqual([])
})
