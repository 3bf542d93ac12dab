import { ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { requestAfter } from "../../test/session.ts"
import type { Reply } from "../reply/reply.ts"
import { call, fail, finish, reasoning, stall, text } from "../reply/steps.ts"
import { createCursor } from "./cursor.ts"

const said: Reply = [text("Hi")]
const failed: Reply = [fail(new ProviderError("transient", "Later."))]

describe("by history", () => {
  it("counts the assistant messages of the request, in any process", () => {
    const replies = [said, said, said]

    expect([0, 1, 2].map((answers) => createCursor(replies, "history")(requestAfter(answers)))).toEqual([0, 1, 2])
  })

  it("goes on to the next reply when one failed, and begins with the failure again in another process", () => {
    const replies = [said, failed, failed, said, said]
    const cursor = createCursor(replies, "history")

    expect([0, 1, 1, 1, 2].map((answers) => cursor(requestAfter(answers)))).toEqual([0, 1, 2, 3, 4])
    expect(createCursor(replies, "history")(requestAfter(1))).toBe(1)
    expect(createCursor(replies, "history")(requestAfter(2))).toBe(4)
  })

  it("gives the same reply again to the same request", () => {
    const cursor = createCursor([said, said], "history")

    expect([0, 0, 0].map((answers) => cursor(requestAfter(answers)))).toEqual([0, 0, 0])
  })

  it("keeps sessions apart", () => {
    const cursor = createCursor([failed, said], "history")

    expect(cursor(requestAfter(0, { sessionID: "a" }))).toBe(0)
    expect(cursor(requestAfter(0, { sessionID: "b" }))).toBe(0)
    expect(cursor(requestAfter(0, { sessionID: "a" }))).toBe(1)
  })

  it.each<[string, Reply]>([
    ["says nothing", []],
    ["says only blanks", [text(" \n")]],
    ["only reasons", [reasoning("Hm.")]],
    ["breaks off", [text("Half"), fail(new Error("cut"))]],
    ["hangs", [text("Half"), stall()]],
    ["ends with an error", [text("Half"), finish("error")]],
    ["is filtered", [text("Half"), finish("content-filter")]],
  ])("takes a reply that %s for an attempt, since it leaves no message", (_name, reply) => {
    const cursor = createCursor([reply, said, said], "history")

    expect([0, 0, 1].map((answers) => cursor(requestAfter(answers)))).toEqual([0, 1, 2])
  })

  it("takes a reply that called a tool and broke off for an answer, since calls are kept", () => {
    const cursor = createCursor([[call("read"), fail(new Error("cut"))], said], "history")

    expect([0, 1].map((answers) => cursor(requestAfter(answers)))).toEqual([0, 1])
  })

  it.each([
    ["the script is empty", [], [0], [0]],
    ["the session is longer", [said, said], [2, 5], [2, 5]],
    ["the session is longer than a script with failures", [failed, said], [1], [2]],
    ["the last reply fails too often", [said, failed], [1, 1, 1], [1, 2, 3]],
  ])("points behind the last reply when %s", (_name, replies, answers, indexes) => {
    const cursor = createCursor(replies, "history")

    expect(answers.map((count) => cursor(requestAfter(count)))).toEqual(indexes)
  })
})

describe("by sequence", () => {
  it("counts the requests, whatever they hold", () => {
    const cursor = createCursor([said, said, said], "sequence")

    expect([7, 0, 0, 3].map((answers) => cursor(requestAfter(answers)))).toEqual([0, 1, 2, 3])
  })
})
