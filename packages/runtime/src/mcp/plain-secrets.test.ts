import { expect, it } from "vitest"
import { plainSecrets } from "./plain-secrets.ts"
import { withReferences } from "./with-references.ts"

const token = `ghp_${"a1B2".repeat(9)}`

it.each([
  [{ type: "local", command: ["x"], environment: { API_KEY: "abc", MODE: "fast" } }, ["the variable API_KEY"]],
  [{ type: "local", command: ["x"], environment: { API_KEY: "{env:API_KEY}", OTHER: "" } }, []],
  [{ type: "local", command: ["x", `--token=${token}`] }, ["the command"]],
  [
    { type: "remote", url: "https://a", headers: { Authorization: "Bearer abc", Accept: "b" } },
    ["the header Authorization"],
  ],
  [{ type: "remote", url: "https://a", headers: { Authorization: "Bearer {env:A}" } }, []],
  [{ enabled: false }, []],
] as const)("names where %j holds a secret as it is", (server, places) => {
  expect(plainSecrets(server as never)).toEqual(places)
})

it("writes variables of other programs as references, and keeps their defaults", () => {
  const given = { command: ["${HOME}/bin"], environment: { A: "${A}", B: "${B:-b}", C: "$C" }, timeout: 5 }

  expect(withReferences(given)).toEqual({
    command: ["{env:HOME}/bin"],
    environment: { A: "{env:A}", B: "b", C: "$C" },
    timeout: 5,
  })
})
