import type { Session } from "@pawl/core"
import { describe, expect, it } from "vitest"
import { session } from "../../test/view-values.ts"
import { familyOf, sessionTree } from "./session-tree.ts"

const named = (id: `ses_${string}`, title: string, parentID?: `ses_${string}`): Session => ({
  ...session,
  ...{ id, title },
  ...(parentID ? { parentID } : {}),
})
const shown = (rows: ReturnType<typeof sessionTree>) => rows.map(({ session: { id }, depth }) => [id, depth])

describe("the tree of sessions", () => {
  const sessions = [
    named("ses_4", "Plan (fork #1)"),
    named("ses_3", "look", "ses_1"),
    named("ses_2", "Other"),
    named("ses_1", "Plan"),
    named("ses_5", "deeper", "ses_3"),
  ]

  it("has subagents and forks below their session", () => {
    expect(shown(sessionTree(sessions))).toEqual([
      ["ses_2", 0],
      ["ses_1", 0],
      ["ses_4", 1],
      ["ses_3", 1],
      ["ses_5", 2],
    ])
  })

  it("shows a session whose parent is missing, and one below itself", () => {
    const odd = [named("ses_8", "lost", "ses_9"), named("ses_6", "loop", "ses_7"), named("ses_7", "loop", "ses_6")]

    expect(shown(sessionTree(odd)).map(([id]) => id)).toEqual(["ses_8", "ses_6", "ses_7"])
  })

  it("divides into families", () => {
    const rows = sessionTree(sessions)

    expect(shown(familyOf("ses_5", rows)).map(([id]) => id)).toEqual(["ses_1", "ses_4", "ses_3", "ses_5"])
    expect(familyOf("ses_9", rows)).toEqual([])
  })
})
