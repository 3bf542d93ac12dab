import { describe, expect, it } from "vitest"
import { requestPrefix } from "./request-prefix.ts"

const body = (...messages: string[]) => `{"model":"m","messages":[${messages.map((text) => `"${text}"`).join(",")}]}`

describe("requestPrefix", () => {
  it("holds when messages were only added", () => {
    expect(requestPrefix(body("a"), body("a", "b"))).toBeUndefined()
    expect(requestPrefix(body(), body("a"))).toBeUndefined()
    expect(requestPrefix(Buffer.from(body("a")), body("a"))).toBeUndefined()
  })

  it("tells where an earlier message was changed, in bytes", () => {
    const difference = requestPrefix(body("ü", "b"), body("ü", "c", "d"))

    expect(difference).toEqual({
      offset: Buffer.byteLength('{"model":"m","messages":["ü","'),
      older: body("ü", "b"),
      newer: body("ü", "c", "d"),
    })
  })

  it("fails when the newer request is shorter", () => {
    const newer = body("a")

    expect(requestPrefix(body("a", "b"), newer)?.offset).toBe(newer.length - 2)
    expect(requestPrefix(body("a", "b"), newer.slice(0, -5))?.offset).toBe(newer.length - 5)
  })

  it("ignores no closing bytes when messages is not the last key", () => {
    const older = '{"messages":["a"],"tools":[]}'

    expect(requestPrefix(older, older)).toBeUndefined()
    expect(requestPrefix(older, '{"messages":["a","b"],"tools":[]}')?.offset).toBe('{"messages":["a"'.length)
    expect(requestPrefix(older, '{"messages":["a"],"tools":["x"]}')?.offset).toBe('{"messages":["a"],"tools":['.length)
  })

  it("takes bodies that are not JSON as they are", () => {
    expect(requestPrefix("messages]}", "messages]}!")).toBeUndefined()
    expect(requestPrefix("messages]}", "messages!")?.offset).toBe("messages".length)
  })

  it("shows only the surroundings of the difference", () => {
    const common = "x".repeat(1_000)
    const difference = requestPrefix(body(`${common}a${common}`), body(`${common}b${common}`))

    expect(difference?.older).toMatch(/^x+ax+$/)
    expect(difference?.newer).toMatch(/^x+bx+$/)
    expect(difference?.older.length).toBeLessThan(200)
  })
})
