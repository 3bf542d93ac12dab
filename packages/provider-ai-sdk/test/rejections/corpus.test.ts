import { ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { findRejected } from "../../src/rejections/find-rejected.ts"
import { rejections } from "./rejections.ts"
import { files, talk } from "./talk.ts"

describe("the corpus of refusals", () => {
  it("has more than twenty that are about files, and some that are not", () => {
    expect(rejections.filter(({ rejected }) => rejected.length > 0).length).toBeGreaterThanOrEqual(20)
    expect(rejections.filter(({ rejected }) => rejected.length === 0).length).toBeGreaterThanOrEqual(10)
  })

  it.each(rejections)("$from", ({ status, kind, body, without, rejected }) => {
    const message = `The server rejected the request (${status}).`
    const error = new ProviderError(kind, message, { statusCode: status, responseBody: body })

    const found = findRejected(error, talk(without))

    expect(found?.files.map(({ filename }) => filename)).toEqual(
      rejected.length > 0 ? rejected.map((name) => files[name].filename) : undefined,
    )
  })

  it("is as well understood from the words alone, where no body was kept", () => {
    const inBodies = rejections.filter(({ rejected, body }) => rejected.length === 1 && body.startsWith("{"))
    for (const { kind, status, body, without, rejected } of inBodies) {
      const found = findRejected(new ProviderError(kind, body, { statusCode: status }), talk(without))
      expect(found?.files.map(({ filename }) => filename)).toEqual(rejected.map((name) => files[name].filename))
    }
  })
})
