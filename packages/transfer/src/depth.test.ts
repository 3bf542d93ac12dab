import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { DocumentError } from "./document-error.ts"
import { importSession } from "./import.ts"

const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`) as unknown

it.each([
  ["as it is", (deep: unknown) => deep],
  ["within a document", (deep: unknown) => ({ format: "pawl-session", version: 1, sessions: [deep] })],
  ["within one of OpenCode", (deep: unknown) => ({ info: { id: "ses_1" }, messages: [{ info: {}, parts: [deep] }] })],
])("is said of a document that is nested without end (%s)", async (_name, document) => {
  const imported = importSession(memoryStorage(), document(nested(200_000)))

  await expect(imported).rejects.toThrow(DocumentError)
  await expect(imported).rejects.toThrow(/at \$[\w.[\]]+…: It is nested deeper than 500 levels, which no session is\./)
})

it("is not said of one that is nested as deep as a session may be", async () => {
  const imported = importSession(memoryStorage(), nested(400))

  await expect(imported).rejects.toThrow("The format is undefined")
})
