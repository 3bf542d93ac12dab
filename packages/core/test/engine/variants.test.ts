import { fail, finish, type Reply, reasoning, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, type TestEngine } from "../engine-fixture.ts"
import { answeringModel, lastPrompt } from "../answering-model.ts"
import { called, said as streamed } from "../streaming-model.ts"
import { taskTool } from "../task-tool.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { Model } from "../../src/contracts/model.ts"
import type { PromptRequest } from "../../src/sessions/prompting.ts"

const efforts = (...names: string[]) => Object.fromEntries(names.map((effort) => [effort, { effort }]))
const said = (words: string): Reply => [reasoning("Hm."), text(words), finish("stop")]
const modelOf = (providerID: string, replies: readonly Reply[], ...names: string[]) =>
  scriptedModel(replies, { ref: { providerID, modelID: "model" }, info: { variants: efforts(...names) } })

function asking({ engine, session }: TestEngine) {
  return (more: Partial<PromptRequest> = {}) =>
    engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Go" }], ...more })
}

const asked = (model: { requests: readonly { settings: { options?: unknown } }[] }) =>
  model.requests.map(({ settings }) => settings.options)

async function stored(test: TestEngine, role: "user" | "assistant") {
  const messages = await test.messages()
  return messages.flatMap(({ info }) => (info.role === role ? [info.variant] : []))
}

const notices = ({ events }: TestEngine) =>
  events.flatMap((event) => (event.type === "session.notice" ? [event.properties.message] : []))

it("asks the model with the variant that was chosen, and goes on with it until there is another", async () => {
  const model = modelOf(
    "own",
    Array.from({ length: 5 }, () => said("Yes.")),
    "low",
    "high",
  )
  await using test = await testEngine({ model })
  const ask = asking(test)

  await ask()
  await ask({ variant: "high" })
  await ask()
  await ask({ variant: "default" })
  await ask()

  expect(asked(model)).toEqual([{}, { effort: "high" }, { effort: "high" }, {}, {}])
  expect(await stored(test, "user")).toEqual([undefined, "high", "high", "default", "default"])
  expect(await stored(test, "assistant")).toEqual([undefined, "high", "high", undefined, undefined])
  expect((await test.engine.getSession(test.session.id)).variant).toBe("default")
  expect(notices(test)).toEqual([])
})

it("stays with what is forked from the session", async () => {
  const model = modelOf("own", [said("Yes.")], "high")
  await using test = await testEngine({ model })
  await asking(test)({ variant: "high" })
  expect((await test.engine.forkSession({ sessionID: test.session.id })).variant).toBe("high")
})

it("refuses a variant that the model does not have before anything is stored", async () => {
  const model = modelOf("own", [], "low", "high")
  await using test = await testEngine({ model })

  await expect(asking(test)({ variant: "turbo" })).rejects.toThrow(
    'Model "own/model" has no variant "turbo". Known: low, high, default.',
  )

  expect(await test.messages()).toEqual([])
})

it("takes the agent's own variant where nobody chooses, and again where the agent is asked for", async () => {
  const model = modelOf(
    "own",
    Array.from({ length: 4 }, () => said("Yes.")),
    "low",
    "medium",
    "high",
  )
  const agents = [
    { name: "build", variant: "low" },
    { name: "careful", variant: "high" },
  ]
  await using test = await testEngine({ model, agents })
  const ask = asking(test)

  await ask()
  await ask({ variant: "medium" })
  await ask()
  await ask({ agent: "careful" })

  expect(asked(model)).toEqual([{ effort: "low" }, { effort: "medium" }, { effort: "medium" }, { effort: "high" }])
})

it("takes the nearest variant of a model that lacks the one that is wanted, or none, and says so", async () => {
  const own = modelOf("own", [said("Yes."), said("Yes.")], "xhigh")
  const near = modelOf("near", [said("Yes.")], "low", "high")
  const bare = modelOf("bare", [said("Yes.")])
  await using test = await testEngine({ model: own }, near, bare)
  const ask = asking(test)

  await ask({ variant: "xhigh" })
  await ask({ model: bare.ref })
  await ask({ model: own.ref })
  await ask({ model: near.ref })

  expect(asked(own)).toEqual([{ effort: "xhigh" }, { effort: "xhigh" }])
  expect([asked(bare), asked(near)]).toEqual([[{}], [{ effort: "high" }]])
  expect(notices(test)).toEqual([
    'Model "bare/model" has no variant "xhigh": none is used.',
    'Model "near/model" has no variant "xhigh": "high" is used, which is the nearest.',
  ])
})

it("has a model that takes another one's place use the nearest variant", async () => {
  const refused = new ProviderError("quota-exhausted", "No credit is left.")
  const own = modelOf("own", [[fail(refused)]], "max")
  const other = modelOf("other", [said("Yes.")], "low", "high")
  await using test = await testEngine({ model: own, fallback: [other.ref] }, other)

  await asking(test)({ variant: "max" })

  expect(asked(other)).toEqual([{ effort: "high" }])
  expect(await stored(test, "assistant")).toEqual(["max", "high"])
  expect(notices(test)).toEqual([
    'No credit is left. Continuing with other/model instead of own/model, until the next prompt. Model "other/model" has no variant "max": "high" is used, which is the nearest.',
  ])
})

it("has a subagent work with its own variant, or with none", async () => {
  const answering = answeringModel(({ request, n }) => {
    if (lastPrompt(request) !== "Go") return streamed("Found.")
    const tasks = ["general", "explore"].map((agent, at) => {
      return called("task", { prompt: `as ${agent}`, subagent_type: agent }, `call-${at}`)
    })
    return n === 0 ? tasks : streamed("Done.")
  })
  const model: Model & Pick<typeof answering, "requests"> = {
    ...answering,
    info: { ...answering.info, variants: efforts("low", "high") },
    stream: (request, signal) => answering.stream(request, signal),
    requests: answering.requests,
  }
  const agents = [{ name: "explore", mode: "subagent" as const, prompt: "Look.", variant: "low" }]
  await using test = await testEngine({ model, agents, tools: [taskTool()] })

  await asking(test)({ variant: "high" })

  const byPrompt = model.requests.map((request) => [lastPrompt(request), request.settings.options])
  expect(byPrompt).toContainEqual(["as explore", { effort: "low" }])
  expect(byPrompt).toContainEqual(["as general", {}])
  expect(byPrompt.filter(([prompt]) => prompt === "Go")).toEqual([
    ["Go", { effort: "high" }],
    ["Go", { effort: "high" }],
  ])
})

it("asks for titles and summaries without a variant", async () => {
  const namer = modelOf("namer", [said("A title")], "high")
  const model = modelOf(
    "own",
    [
      said(Array.from({ length: 400 }, (_, at) => `Yes, ${at * 7919}.`).join(" ")),
      ...Array.from({ length: 3 }, () => said("Yes.")),
    ],
    "high",
  )
  await using test = await testEngine(
    { model, titleModel: namer.ref, agents: [{ name: "title", variant: "high" }] },
    namer,
  )

  await asking(test)({ variant: "high" })
  await test.engine.compact(test.session.id)
  await test.engine.close()

  expect(asked(namer)).toEqual([undefined])
  const [step, ...summaries] = asked(model)
  expect(step).toEqual({ effort: "high" })
  expect(new Set(summaries)).toEqual(new Set([undefined]))
})
