import { expect, it } from "vitest"
import { corsAnswer } from "./cors.ts"
import { hostRefusal, type RequestHead, tokenRefusal } from "./request-guard.ts"

const head: RequestHead = {
  method: "GET",
  target: "/session",
  host: "127.0.0.1:4319",
  origin: undefined,
  authorization: "Bearer t0ken_-",
}
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`
const credentials = { token: "t0ken_-", schemes: ["Bearer", "Basic"] } as const

it.each(["Bearer t0ken_-", "bearer t0ken_-", basic("opencode:t0ken_-"), basic(":t0ken_-")])(
  "accepts the token in %j",
  (authorization) => expect(tokenRefusal({ ...head, authorization }, credentials)).toBeUndefined(),
)

it.each([
  undefined,
  "",
  "t0ken_-",
  "Bearer",
  "Bearer t0ken_",
  "Basic t0ken_-",
  basic("t0ken_-"),
  basic("t0ken_-:"),
  basic("opencode:t0ken_-x"),
])("refuses %j", (authorization) => {
  const refusal = tokenRefusal({ ...head, authorization }, credentials)
  expect(refusal).toMatchObject({ status: 401 })
  expect(refusal?.headers?.["www-authenticate"]).toBe('Bearer realm="pawl", Basic realm="pawl"')
})

it("accepts Basic only where it is offered", () => {
  const authorization = basic("opencode:t0ken_-")
  expect(tokenRefusal({ ...head, authorization }, { ...credentials, schemes: ["Bearer"] })).toMatchObject({
    status: 401,
  })
})

it("serves pages of named origins alone, whatever their token", () => {
  const origins = ["https://app.example"]
  const from = (origin: string) => hostRefusal({ ...head, origin }, { port: 4319, origins })
  expect(from("https://app.example")).toBeUndefined()
  expect(from("http://localhost:4319")).toBeUndefined()
  for (const origin of ["https://app.example.evil", "http://app.example", "null", "", "https://app.example:8443"]) {
    expect(from(origin)).toMatchObject({ status: 403 })
  }
})

it("answers preflight requests of named origins, without a wildcard", () => {
  const asked = { ...head, method: "OPTIONS", origin: "https://app.example", authorization: undefined }
  expect(corsAnswer(asked, [])).toBeUndefined()
  expect(corsAnswer(asked, ["https://other.example"])).toBeUndefined()
  const answer = corsAnswer(asked, ["https://app.example"])
  expect(answer).toMatchObject({ isPreflight: true })
  expect(answer?.headers).toMatchObject({ "access-control-allow-origin": "https://app.example", vary: "Origin" })
  expect(JSON.stringify(answer)).not.toContain("*")
})
