import type { AuthOutcome, StoredAuth } from "@pawl/core/plugin"
import { expect, it } from "vitest"
import { credentialOf } from "./credential-of.ts"

it.each<[name: string, outcome: AuthOutcome | undefined, kept: [string, StoredAuth] | undefined]>([
  ["nothing of a failure", { type: "failed" }, undefined],
  ["nothing of nothing", undefined, undefined],
  ["nothing of a success without anything", { type: "success" }, undefined],
  [
    "a key",
    { type: "success", key: "k", metadata: { plan: "free" } },
    ["p", { type: "api", key: "k", metadata: { plan: "free" } }],
  ],
  ["a key for another provider", { type: "success", provider: "q", key: "k" }, ["q", { type: "api", key: "k" }]],
  [
    "tokens with whatever belongs to them",
    { type: "success", refresh: "r", access: "a", expires: 5, accountId: "me" },
    ["p", { type: "oauth", refresh: "r", access: "a", expires: 5, accountId: "me" }],
  ],
  [
    "a token that is to be exchanged first",
    { type: "success", refresh: "r" },
    ["p", { type: "oauth", refresh: "r", access: "", expires: 0 }],
  ],
])("keeps %s", (_name, outcome, kept) => {
  const credential = credentialOf("p", outcome)

  expect(credential && [credential.providerID, credential.auth]).toEqual(kept)
})

it.each([
  { refresh: "r", access: 5 },
  { refresh: "r", expires: Number.NaN },
  { refresh: "r", expires: "tomorrow" },
])("refuses what could not be read again, such as %j", (given) => {
  expect(() => credentialOf("p", { type: "success", ...given } as AuthOutcome)).toThrow(
    "no credential that can be kept",
  )
})

it("passes over the name of another provider that is no name", () => {
  expect(credentialOf("p", { type: "success", provider: {} as string, key: "k" })?.providerID).toBe("p")
})
