import { expect, it } from "vitest"
import { scopeToAsk } from "./scope.ts"

const none = { configured: undefined, server: undefined, wanted: undefined, metadata: undefined }
const metadata = {
  issuer: "https://a.example",
  authorization_endpoint: "https://a.example/authorize",
  token_endpoint: "https://a.example/token",
  response_types_supported: ["code"],
}

it.each([
  ["nothing where nobody names any", none, undefined],
  ["what the server wants", { ...none, server: "read" }, "read"],
  ["what is configured in its place", { ...none, server: "read", configured: "write" }, "write"],
  ["what an earlier token lacked besides, each once", { ...none, server: "read", wanted: "read write" }, "read write"],
  [
    "for lasting access where that is offered",
    { ...none, server: "read", metadata: { ...metadata, scopes_supported: ["offline_access"] } },
    "read offline_access",
  ],
  [
    "for no lasting access where a scope is configured",
    { ...none, configured: "write", metadata: { ...metadata, scopes_supported: ["offline_access"] } },
    "write",
  ],
])("asks for %s", (_, sources, scope) => {
  expect(scopeToAsk(sources)).toBe(scope)
})
