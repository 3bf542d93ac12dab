import { describe, expect, it } from "vitest"
import { type Done, doneCall, failedCall, runningCall } from "../test/parts.ts"
import { createTheme } from "./theme.ts"
import { toolLines } from "./tool-lines.ts"
import { columnsOf } from "./width.ts"

const layout = { columns: 60, theme: createTheme(false), directory: "/home" }

describe("a call in one line", () => {
  it.each<[tool: string, input: Record<string, unknown>, done: Done, line: string]>([
    ["read", { filePath: "a.ts" }, { title: "a.ts", output: "1: x\n2: y\n" }, "● read a.ts · 2 lines"],
    ["read", { filePath: "src" }, { title: "src", output: "<type>directory</type>" }, "● read src · directory"],
    ["read", { filePath: "/home/deep/a.ts" }, {}, "● read deep/a.ts"],
    ["read", { filePath: "/elsewhere/a.ts" }, {}, "● read /elsewhere/a.ts"],
    ["list", { path: "." }, { title: ".", metadata: { count: 1 } }, "● list . · 1 entry"],
    [
      "glob",
      { pattern: "*.ts" },
      { title: "src", metadata: { count: 100, truncated: true } },
      "● glob *.ts · 100+ files",
    ],
    ["grep", { pattern: "a\nb" }, { metadata: { matches: 3 } }, "● grep a b · 3 matches"],
    ["bash", { command: "ls" }, { metadata: { exit: 0 }, took: 40 }, "● bash ls"],
    ["bash", { command: "make\n  all" }, { metadata: { exit: 0 }, took: 1234 }, "● bash make all · 1.2s"],
    ["write", { filePath: "a" }, { title: "a", metadata: { exists: false, diff: "" } }, "● write a · new · +0 -0"],
    ["fetch", { url: "https://example.com" }, { took: 300 }, "● fetch https://example.com · 0.3s"],
    ["think", {}, {}, "● think"],
    ["webfetch", { url: "https://a.b" }, { metadata: { status: 404 } }, "● webfetch https://a.b · status 404"],
    [
      "bash",
      { command: "npm start", background: true },
      { title: "npm start", metadata: { jobID: "1", status: "running" } },
      "● bash npm start · job 1, in the background",
    ],
  ])("%s %j", (tool, input, done, line) => {
    expect(toolLines(doneCall(tool, input, done), layout)).toEqual([line])
  })

  it("has the type of an image instead of its lines", () => {
    const call = doneCall("read", { filePath: "a.png" }, { title: "a.png" })
    const { id, sessionID, messageID } = call
    const image = { id, sessionID, messageID, type: "file", mime: "image/png", url: "data:image/png;base64," } as const
    const state = { ...call.state, attachments: [image] } as typeof call.state

    expect(toolLines({ ...call, state }, layout)).toEqual(["● read a.png · image/png"])
  })

  it("tells of one that has not ended", () => {
    expect(toolLines(runningCall("bash", { command: "sleep 9" }), layout)).toEqual(["● bash sleep 9 · running"])
  })

  it("is cut in its subject, so that what it came to is seen", () => {
    const [line = ""] = toolLines(
      doneCall("bash", { command: "x".repeat(200) }, { metadata: { exit: 0 }, took: 5000 }),
      layout,
    )

    expect(line).toMatch(/x… · 5\.0s$/)
    expect(columnsOf(line)).toBeLessThanOrEqual(60)
  })
})

it("shows the diff of an edit, and counts its lines", () => {
  const diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-old\n+new\n+newer\n same\n"

  expect(toolLines(doneCall("edit", { filePath: "a" }, { title: "a", metadata: { diff } }), layout)).toEqual([
    "● edit a · +2 -1",
    "  - old",
    "  + new",
    "  + newer",
    "    same",
  ])
})

it("shows the end of what a failed command printed", () => {
  const output = Array.from({ length: 20 }, (_, index) => `line ${index}\n\n`).join("")

  const lines = toolLines(doneCall("bash", { command: "make" }, { metadata: { exit: 2, output } }), layout)

  expect(lines[0]).toBe("✗ bash make · exit 2")
  expect(lines.slice(1)).toEqual([14, 15, 16, 17, 18, 19].map((index) => `    line ${index}`))
})

it("says that a command was ended", () => {
  expect(toolLines(doneCall("bash", { command: "make" }, { metadata: { exit: null, output: "" } }), layout)).toEqual([
    "✗ bash make · ended",
  ])
})

it("shows why a call failed, in no more than four lines", () => {
  const error = `The first line is long enough to be broken at the edge of a terminal.\n${"next\n".repeat(9)}`

  expect(toolLines(failedCall("read", { filePath: "a.ts" }, error), layout)).toEqual([
    "✗ read a.ts",
    "    The first line is long enough to be broken at the edge",
    "    of a terminal.",
    "    next",
    "    next",
  ])
})

it("lets nothing through that a terminal obeys", () => {
  const evil = "\u001B[2J\u001B]0;owned\u0007\rbad\u009B1m"
  const calls = [
    doneCall("bash", { command: `echo ${evil}` }, { metadata: { exit: 1, output: evil } }),
    doneCall("read", { filePath: evil }, { title: evil, output: `1: ${evil}` }),
    doneCall("edit", { filePath: evil }, { metadata: { diff: `@@ -1 +1 @@\n-${evil}\n+${evil}` } }),
    failedCall("bash", { command: evil }, evil),
  ]

  for (const call of calls) {
    const text = toolLines(call, layout).join("")
    // oxlint-disable-next-line no-control-regex -- They are what must not be there.
    expect(text).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/)
    expect(text).toContain("bad")
  }
})

it("is coloured where that is wanted", () => {
  const [line] = toolLines(doneCall("bash", { command: "ls" }, { metadata: { exit: 0 }, took: 200 }), {
    ...layout,
    theme: createTheme(true),
  })

  expect(line).toBe("\u001B[32m●\u001B[39m \u001B[1mbash\u001B[22m ls\u001B[2m · 0.2s\u001B[22m")
})

describe("a call with lines below it", () => {
  it("of a subagent has its agent, what it cost, and the first of its last words", () => {
    const output = '<task id="ses_2" state="completed">\n<task_result>\n\nIt is in src.\nMore.\n</task_result>\n</task>'
    const metadata = { agent: "explore", cost: 0.02, status: "completed" }
    const call = doneCall("task", { description: "Find it" }, { title: "Find it", output, metadata, took: 2000 })

    expect(toolLines(call, layout)).toEqual(["● task Find it · explore · $0.0200 · 2.0s", "    It is in src."])
  })

  it("of a subagent that failed is marked", () => {
    const output = "<task_error>\nThe task was not finished.\n</task_error>"
    const call = doneCall("task", {}, { title: "Find it", output, metadata: { agent: "explore", status: "failed" } })

    expect(toolLines(call, layout)[0]).toMatch(/^✗ task Find it · explore · not finished/)
  })

  it("of a plan is the plan, each task in a line of its own", () => {
    const todos = [
      { content: "Read", status: "completed" },
      { content: "Write\n✓ Forged", status: "in_progress" },
      { content: "Rest", status: "pending" },
      { content: "Dropped", status: "cancelled" },
      "no task",
    ]
    const call = doneCall("todowrite", { todos }, { title: "2 of 4 to do", metadata: { todos } })

    expect(toolLines(call, layout)).toEqual([
      "● todowrite 2 of 4 to do",
      ...["    ✓ Read", "    ▸ Write ✓ Forged", "    ○ Rest", "    × Dropped"],
    ])
  })

  it("of questions has the answers", () => {
    const call = doneCall("question", {}, { title: "Way", metadata: { answers: [["a", "b"], []] } })

    expect(toolLines(call, layout)).toEqual(["● question Way", "    a, b", "    no answer"])
  })

  it.each(["multiedit", "apply_patch"])("of %s has the diff", (tool) => {
    const diff = "--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n"

    expect(toolLines(doneCall(tool, {}, { title: "a", metadata: { diff } }), layout)).toEqual([
      ...[`● ${tool} a · +1 -1`, "  - old", "  + new"],
    ])
  })
})
