import { call, fail, finish, type Reply, reasoning, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, type TestEngine, testTool } from "../../../test/engine-fixture.ts"
import { requireValid } from "../../../test/window-model.ts"
import { ProviderError, type ProviderErrorKind } from "../../base/errors.ts"
import type { PartID } from "../../base/ids.ts"
import type { MessageWithParts, ModelRef } from "../../record/message.ts"
import { modelInForce } from "./fallback.ts"

const refOf = (providerID: string): ModelRef => ({ providerID, modelID: "model" })
const price = (input: number) => ({ cost: { input, output: 0, cacheRead: 0, cacheWrite: 0 } })
const modelOf = (providerID: string, replies: readonly Reply[], dollars = 1) =>
  scriptedModel(replies, { ref: refOf(providerID), info: price(dollars) })
const said = (words: string, input = 0): Reply => [text(words), finish("stop", { input })]
const failing = (kind: ProviderErrorKind, retryAfter = 1) =>
  fail(new ProviderError(kind, `It is ${kind}.`, { retryAfter }))
const refused = new ProviderError("quota-exhausted", "No credit is left.")

async function answerers(test: TestEngine) {
  const messages = await test.messages()
  return messages.flatMap(({ info }) => (info.role === "assistant" ? [`${info.providerID} ${info.finish}`] : []))
}

function notices({ events }: TestEngine) {
  return events.flatMap((event) => (event.type === "session.notice" ? [event.properties.message] : []))
}

describe("a model that cannot answer", () => {
  it.each<[ProviderErrorKind, number]>([
    ["quota-exhausted", 1],
    ["auth", 1],
    ["transient", 3],
    ["rate-limited", 3],
    ["incomplete-stream", 3],
    ["transport", 3],
  ])("is given up for another one: %s, after %d attempts", async (kind, attempts) => {
    const own = modelOf(
      "own",
      Array.from({ length: 3 }, () => [failing(kind)]),
    )
    const other = modelOf("other", [said("I am here.")])
    await using test = await testEngine({ model: own, fallback: [other.ref], retry: { attempts: 3 } }, other)

    expect(await test.ask("Go")).toMatchObject({ type: "answered" })

    expect(own.requests).toHaveLength(attempts)
    expect(await answerers(test)).toEqual(["own unknown", "other stop"])
    expect((await test.parts("retry")).at(-1)).toMatchObject({
      ...{ attempt: attempts, kind, fallback: { for: own.ref, to: other.ref } },
      error: { data: { message: `It is ${kind}.` } },
    })
    expect(notices(test)).toEqual([
      `It is ${kind}. Continuing with other/model instead of own/model, until the next prompt.`,
    ])
  })

  it.each<ProviderErrorKind>(["overflow", "content-policy", "invalid-request", "unknown"])(
    "stays where another one would do no better: %s",
    async (kind) => {
      const own = modelOf("own", [[failing(kind)]])
      const other = modelOf("other", [])
      await using test = await testEngine({ model: own, fallback: [other.ref] }, other)

      expect(await test.ask("Go")).toMatchObject({ type: "failed" })
      expect(other.requests).toHaveLength(0)
    },
  )

  it("is not waited for where the server asks for an hour", async () => {
    const own = modelOf("own", [[failing("rate-limited", 3_600_000)]])
    const other = modelOf("other", [said("Here.")])
    await using test = await testEngine({ model: own, fallback: [other.ref] }, other)

    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect(own.requests).toHaveLength(1)
  })

  it("is followed by the next of the list, and the last one's error is the answer's", async () => {
    const own = modelOf("own", [[fail(refused)]])
    const second = modelOf("second", [[failing("auth")]])
    const third = modelOf("third", [[failing("quota-exhausted")]])
    const gone = { providerID: "gone", modelID: "away" }
    const fallback = [own.ref, second.ref, gone, third.ref, second.ref]
    await using test = await testEngine({ model: own, fallback }, second, third)

    expect(await test.ask("Go")).toMatchObject({
      type: "failed",
      error: { data: { message: "It is quota-exhausted." } },
    })
    expect(await answerers(test)).toEqual(["own unknown", "second unknown", "third error"])
    expect(notices(test)[1]).toMatch(/^It is auth\. Skipped gone\/away: .*not known.* Continuing with third\/model/)
  })

  it("is replaced by the agent's own list before that of the settings", async () => {
    const own = modelOf("own", [[fail(refused)]])
    const mine = modelOf("mine", [said("Mine.")])
    const other = modelOf("other", [])
    const agents = [{ name: "build", fallback: [mine.ref] }]
    await using test = await testEngine({ model: own, fallback: [other.ref], agents }, mine, other)

    await test.ask("Go")

    expect(await answerers(test)).toEqual(["own unknown", "mine stop"])
  })
})

describe("the model in its place", () => {
  it("goes on to the end of the turn, and the own one is asked again with the next prompt", async () => {
    const own = modelOf("own", [[fail(refused)], said("Back.")])
    const other = modelOf("other", [[call("look"), finish("tool-calls")], said("Looked.")])
    const tools = [testTool("look", async () => "seen")]
    await using test = await testEngine({ model: own, fallback: [other.ref], tools }, other)

    await test.ask("Go")
    await test.ask("And now?")

    expect(await answerers(test)).toEqual(["own unknown", "other tool-calls", "other stop", "own stop"])
    expect((await test.engine.getSession(test.session.id)).model).toEqual(own.ref)
    expect(own.requests).toHaveLength(2)
  })

  it("is asked with a request that is valid for it: other vendors' reasoning stays away", async () => {
    const signed = reasoning("Hm.", { own: { signature: "c2lnbmVk" } })
    const own = modelOf("own", [
      [signed, call("look", {}, { id: "functions.look:0" }), finish("tool-calls")],
      [signed, text("Half of"), fail(refused)],
      said("Back."),
    ])
    const other = modelOf("other", [[reasoning("Ah.", { other: { signature: "x" } }), ...said("Looked.")]])
    const tools = [testTool("look", async () => "seen")]
    await using test = await testEngine({ model: own, fallback: [other.ref], tools }, other)

    await test.ask("Go")
    await test.ask("And now?")

    const [asked] = other.requests
    if (!asked) return expect.fail("nobody was asked")
    requireValid(asked)
    expect(JSON.stringify(asked.messages)).not.toMatch(/signature|Half of|Hm\./)
    expect(JSON.stringify(asked.messages)).not.toContain("functions.look:0")
    expect(asked.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"])
    const back = own.requests.at(-1)
    if (!back) return expect.fail("nobody was asked")
    requireValid(back)
    expect(JSON.stringify(back.messages)).toContain("c2lnbmVk")
    expect(JSON.stringify(back.messages).split("functions.look:0")).toHaveLength(3)
    expect(JSON.stringify(back.messages)).not.toContain("Ah.")
  })

  it("does not run a tool again that ran upon the answer which broke off", async () => {
    let runs = 0
    const own = modelOf("own", [[text("First."), call("count"), fail(refused)]])
    const other = modelOf("other", [said("Counted.")])
    const tools = [testTool("count", async () => String(++runs))]
    await using test = await testEngine({ model: own, fallback: [other.ref], tools }, other)

    expect(await test.ask("Count")).toMatchObject({ type: "answered" })

    expect(runs).toBe(1)
    expect(other.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", content: [{ output: "1" }] })
  })

  it("is billed by its own prices, and a failed request counts as no step", async () => {
    const own = modelOf("own", [[fail(refused)]], 100)
    const other = modelOf("other", [said("Here.", 1_000_000)], 3)
    await using test = await testEngine({ model: own, fallback: [other.ref], limits: { steps: 1, cost: 5 } }, other)

    expect(await test.ask("Go")).toMatchObject({ type: "answered", answer: { info: { cost: 3 } } })
  })

  it("has attempts of its own", async () => {
    const own = modelOf("own", [[failing("transient")], [failing("transient")]])
    const other = modelOf("other", [[failing("transient")], said("Here.")])
    await using test = await testEngine({ model: own, fallback: [other.ref], retry: { attempts: 2 } }, other)

    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect((await test.parts("retry")).map(({ attempt }) => attempt)).toEqual([1, 2, 1])
  })

  it("is still in force in another process", async () => {
    const own = modelOf("own", [[fail(refused)]])
    const other = modelOf("other", [])
    await using test = await testEngine({ model: own, fallback: [other.ref] }, other)
    expect(await test.ask("Go")).toMatchObject({ type: "failed" })
    const messages = (await test.messages()).filter(({ info }) => info.role === "user" || !info.error)
    const user = messages[0]?.info

    if (user?.role !== "user") return expect.fail("nobody asked")
    expect(modelInForce(messages, user)).toEqual(other.ref)
    expect(modelInForce(messages, { ...user, model: refOf("chosen") })).toEqual(refOf("chosen"))
    expect(modelInForce(messages.slice(0, 1), user)).toEqual(own.ref)
    // An answer to a question of its calls, from a process whose clock is ahead.
    const late = messages.map(({ info, parts }): MessageWithParts => {
      const owner = { id: "prt_z" as PartID, sessionID: info.sessionID, messageID: info.id }
      const answer = { type: "permission", reply: "once" } as const
      const given = { ...owner, type: "answer", questionID: owner.id, answer, time: { created: 0 } } as const
      return { info, parts: parts.some(({ type }) => type === "retry") ? [...parts, given] : parts }
    })
    expect(modelInForce(late, user)).toEqual(other.ref)
  })
})
