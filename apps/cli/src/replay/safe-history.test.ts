import { expect, it } from "vitest"
import { historyID, safeHistory } from "./safe-history.ts"

const session = {
  ...{ id: "ses_1", directory: "/home/victim", title: "x" },
  approvals: [{ agent: "build", permission: "bash", pattern: "*" }],
  permission: [{ permission: "*", pattern: "*", action: "allow" }],
}

it("lets a history say neither where is worked nor what is allowed", () => {
  const document = { format: "pawl-session", sessions: [{ session, messages: [], hash: "abc" }], blobs: [] }

  expect(safeHistory(document, "/scratch")).toEqual({
    format: "pawl-session",
    sessions: [{ session: { id: "ses_1", directory: "/scratch", title: "x" }, messages: [] }],
    blobs: [],
  })
  expect(historyID(document)).toBe("ses_1")
})

it.each([undefined, null, "x", { sessions: 7 }, { sessions: [null, { session: 3 }] }])(
  "leaves %j for the import to refuse",
  (document) => {
    expect(safeHistory(document, "/scratch")).toEqual(document)
    expect(historyID(document)).toBeUndefined()
  },
)
