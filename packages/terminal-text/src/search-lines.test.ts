import type { SearchHit } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { searchLines, type SearchLayout } from "./search-lines.ts"
import { createTheme } from "./theme.ts"

const hitOf = (text: string): SearchHit => ({ sessionID: "ses_1", messageID: "msg_1", partID: "prt_1", text })

it.each([
  ["narrow", "before it "],
  ["wide", "世界 "],
])("shows all words of the query among %s characters, in the columns there are", (_name, filler) => {
  const noise = filler.repeat(100)
  const hit = hitOf(`port ${noise} the gateway port ${noise} gateway`)
  const layout: SearchLayout = {
    columns: 60,
    theme: createTheme(false),
    query: "gateway port",
    now: 0,
    hasDirectories: false,
  }
  const [line = ""] = searchLines(hit, undefined, layout)
  expect(line).toContain("gateway port")
})
