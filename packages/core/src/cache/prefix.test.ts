import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ModelMessage, ToolDefinition } from "../contracts/model.ts"
import { comparePrefix, createPrefixes, type Prefix } from "./prefix.ts"
import { compareStored, storePrefix, type StoredPrefix } from "./stored-prefix.ts"

const model = { providerID: "acme", modelID: "small" }
const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] })
const tool = (name: string): ToolDefinition => ({ name, description: `${name}s`, inputSchema: { type: "object" } })
const request = {
  system: ["stable", "dynamic"],
  tools: [tool("read")],
  messages: ["a", "b", "c"].map((text) => user(text)),
}
const of = (changes: Partial<typeof request> = {}, ref = model) => createPrefixes()(ref, { ...request, ...changes })

describe("comparing two requests", () => {
  it.each([
    ["of the same blocks", {}],
    ["that goes on", { messages: [...request.messages, user("d")] }],
  ])("finds no change in a request %s", (_name, changes) => {
    expect(comparePrefix(of(), of(changes))).toBeUndefined()
  })

  it.each<[string, Partial<typeof request>, string, string]>([
    ["the first system block", { system: ["other", "dynamic"] }, "system", "system[0]"],
    ["the second system block", { system: ["stable", "other"] }, "system", "system[1]"],
    ["a new system block", { system: ["stable", "dynamic", "more"] }, "system", "system[2]"],
    ["a system block that went", { system: ["stable"] }, "system", "system[1]"],
    ["the tools", { tools: [tool("read"), tool("write")] }, "tools", "tools"],
    ["a message", { messages: [user("a"), user("x"), user("c"), user("d")] }, "messages", "messages[1]"],
    ["a message that went", { messages: [user("a"), user("b")] }, "messages", "messages[2]"],
    ["system and messages, the earlier one", { system: ["x", "dynamic"], messages: [] }, "system", "system[0]"],
  ])("names %s", (_name, changes, reason, firstChangedBlock) => {
    expect(comparePrefix(of(), of(changes))).toEqual({ reason, firstChangedBlock })
  })

  it("names the model before all else", () => {
    const other = of({ system: ["other"] }, { ...model, modelID: "large" })
    expect(comparePrefix(of(), other)).toEqual({ reason: "model", firstChangedBlock: "system[0]" })
  })

  it("sees each field of a message that is sent", () => {
    const answer = (signature: string): ModelMessage => {
      return { role: "assistant", content: [{ type: "reasoning", text: "Hm.", metadata: { signature } }] }
    }
    expect(comparePrefix(of({ messages: [answer("x")] }), of({ messages: [answer("y")] }))).toBeDefined()
  })
})

describe("hashing", () => {
  /** Counts how often a value is written out as JSON. */
  function counted<T extends object>(value: T): { value: T; count: () => number } {
    let count = 0
    return { value: { ...value, toJSON: () => (count++, value) }, count: () => count }
  }

  it("looks at a message and at a list of tools once, however many requests they are part of", () => {
    const message = counted(user("a"))
    const definition = counted(tool("read"))
    const prefixOf = createPrefixes()
    const tools = [definition.value]

    const prefixes = [1, 2, 3].map((count) => {
      return prefixOf(model, { ...request, tools, messages: Array<ModelMessage>(count).fill(message.value) })
    })

    expect([message.count(), definition.count()]).toEqual([1, 1])
    expect(prefixes[0]).toEqual(of({ messages: [user("a")] }))
  })
})

describe("what is stored of a prefix", () => {
  const text = fc.string({ minLength: 1, maxLength: 3 })
  const grown = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })

  /** The prefixes of steps that each add messages, as they were and as they are stored. */
  function session(steps: readonly (readonly string[])[]): { prefixes: Prefix[]; stored: StoredPrefix[] } {
    const prefixes = steps.map((_step, at) => {
      return of({
        messages: steps
          .slice(0, at + 1)
          .flat()
          .map((word) => user(word)),
      })
    })
    const stored = prefixes.reduce<StoredPrefix[]>((list, prefix) => [...list, storePrefix(prefix, list.at(-1))], [])
    return { prefixes, stored }
  }

  it("takes below 200 bytes of JSON, however long the session and however many the blocks", () => {
    const long = of({
      system: Array.from({ length: 40 }, (_block, at) => `block ${at}`),
      messages: Array.from({ length: 5_000 }, (_message, at) => user(`message ${at}`)),
    })
    const last = { head: [], messages: 99_998, hash: "", steps: 99_998 }
    expect(JSON.stringify(storePrefix(long, last)).length).toBeLessThan(200)
  })

  it("knows a request that goes on, for any session", () => {
    fc.assert(
      fc.property(grown, fc.array(text), (steps, more) => {
        const { prefixes, stored } = session(steps)
        const messages = [...steps.flat(), ...more].map((word) => user(word))
        expect(compareStored(stored, "acme/small", prefixes.at(-1) as Prefix)).toBeUndefined()
        expect(compareStored(stored, "acme/small", of({ messages }))).toBeUndefined()
      }),
    )
  })

  it("names the first message of the step in which any session changed, and never one behind the change", () => {
    fc.assert(
      fc.property(grown, fc.nat(), (steps, seed) => {
        const { stored } = session(steps)
        const words = steps.flat()
        const changed = seed % words.length
        const messages = words.map((word, at) => user(at === changed ? `${word} changed` : word))

        const ends = [0, ...stored.map(({ messages: end }) => end)]
        const from = ends.findLast((end) => end <= changed)
        expect(compareStored(stored, "acme/small", of({ messages }))).toEqual({
          reason: "messages",
          firstChangedBlock: `messages[${from}]`,
        })
      }),
    )
  })

  it("names what lies before the messages exactly", () => {
    const { stored } = session([["a"], ["b"]])
    const change = (changes: Partial<typeof request>, ref = model) => {
      return compareStored(stored, "acme/small", of({ messages: [user("a"), user("b")], ...changes }, ref))
    }
    expect(change({})).toBeUndefined()
    expect(change({ system: ["stable", "x"] })?.firstChangedBlock).toBe("system[1]")
    expect(change({ tools: [] })?.firstChangedBlock).toBe("tools")
    expect(change({}, { ...model, modelID: "large" })?.reason).toBe("model")
  })

  it("sees a change in any of many system blocks", () => {
    const blocks = Array.from({ length: 12 }, (_block, at) => `block ${at}`)
    const stored = [storePrefix(of({ system: blocks }), undefined)]
    expect(compareStored(stored, "acme/small", of({ system: blocks }))).toBeUndefined()
    expect(compareStored(stored, "acme/small", of({ system: blocks.with(11, "other") }))?.reason).toBe("system")
  })

  it("does not mistake what an earlier, broken row of requests held for the beginning of this one", () => {
    const before = session([["a", "b"], ["c"]]).stored
    // The history was cut: another row begins.
    const cut = storePrefix(of({ messages: [user("x"), user("y")] }), undefined)
    const now = of({ messages: [user("a"), user("b"), user("z")] })
    expect(compareStored([...before, cut], "acme/small", now)?.firstChangedBlock).toBe("messages[0]")
  })

  it("names the beginning where the earlier steps are not at hand, and nothing where nothing was stored", () => {
    const { stored } = session([["a"], ["b"], ["c"]])
    const now = of({ messages: [user("a"), user("b"), user("x")] })
    expect(compareStored(stored, "acme/small", now)?.firstChangedBlock).toBe("messages[2]")
    expect(compareStored(stored.slice(-1), "acme/small", now)?.firstChangedBlock).toBe("messages[0]")
    expect(compareStored([], "acme/small", now)).toBeUndefined()
  })
})
