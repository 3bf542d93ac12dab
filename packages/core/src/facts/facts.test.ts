import { describe, expect, it } from "vitest"
import type { JSONObject } from "../base/json.ts"
import { noTokens } from "../record/tokens.ts"
import type { MessageWithParts, Part } from "../record/message.ts"
import { blobReferences } from "../record/blob-references.ts"
import * as facts from "./facts.ts"
// By its place: core must not depend on it.
import { outputFacts } from "../../../tools/src/output-facts/output-facts.ts"

const factsOf = (message: MessageWithParts) => facts.factsOf(message, outputFacts)

const owner = { id: "prt_1", sessionID: "ses_1", messageID: "msg_2" } as const
const time = { start: 1, end: 2 }

function answer(...parts: Part[]): MessageWithParts {
  const info = {
    ...({ id: "msg_2", sessionID: "ses_1", role: "assistant", parentID: "msg_1" } as const),
    ...{ providerID: "p", modelID: "m", agent: "build", mode: "build", path: { cwd: "/repo", root: "/repo" } },
    ...{ cost: 0, tokens: noTokens, time: { created: 1 } },
  }
  return { info, parts }
}

function done(metadata: JSONObject, { tool = "any", effect = "unsafe", input = {}, output = "" } = {}): Part {
  const state = { status: "completed", input, output, title: "", metadata, time } as const
  return { ...owner, type: "tool", callID: "c", tool, state, ...(effect === "" ? {} : { metadata: { effect } }) }
}

describe("files", () => {
  it("named by what only looks were read, by what changes things were modified", () => {
    const metadata = { filepath: "/repo/a.ts", hash: "aa" }
    expect(factsOf(answer(done(metadata, { effect: "pure" })))).toEqual([
      { type: "read", path: "/repo/a.ts", hash: "aa" },
    ])
    for (const effect of ["idempotent", "unsafe"]) {
      expect(factsOf(answer(done(metadata, { effect })))).toEqual([
        { type: "modified", path: "/repo/a.ts", hash: "aa" },
      ])
    }
  })

  it("are told apart by the metadata where the call says nothing of its effect", () => {
    const types = [{}, { diff: "" }, { exists: false }].map((more) => {
      return factsOf(answer(done({ filepath: "/repo/a.ts", ...more }, { effect: "" })))[0]?.type
    })
    expect(types).toEqual(["read", "modified", "modified"])
  })

  it("of a diff are modified, and once", () => {
    const metadata = { filepath: "/repo/a.ts", diff: "", hash: "aa", filediff: { file: "/repo/a.ts", patch: "" } }
    expect(factsOf(answer(done(metadata)))).toEqual([{ type: "modified", path: "/repo/a.ts", hash: "aa" }])
  })

  it("of many diffs have their own hashes only", () => {
    const files = [
      { filePath: "/repo/a", type: "update", hash: "aa" },
      { filePath: "/repo/b", type: "add" },
      { filePath: "/repo/c", type: "delete" },
      { filePath: "/repo/d", type: "move", movePath: "/repo/e" },
      { file: "/repo/f", status: "deleted" },
    ]
    expect(factsOf(answer(done({ files, hash: "all" })))).toEqual([
      { type: "modified", path: "/repo/a", hash: "aa" },
      { type: "modified", path: "/repo/b" },
      { type: "modified", path: "/repo/c", isDeleted: true },
      { type: "moved", from: "/repo/d", path: "/repo/e" },
      { type: "modified", path: "/repo/f", isDeleted: true },
    ])
  })

  it("that a search found are not modified", () => {
    const files = [{ file: "/repo/a.ts", lines: 3 }]
    expect(factsOf(answer(done({ files }, { effect: "pure" }), done({ files }, { effect: "" })))).toEqual([])
  })

  it("are found in the results of several edits", () => {
    const results = [{ filediff: { file: "/repo/a", patch: "" } }, { filediff: { file: "/repo/b", patch: "" } }]
    expect(factsOf(answer(done({ results }))).map((fact) => "path" in fact && fact.path)).toEqual([
      "/repo/a",
      "/repo/b",
    ])
  })

  it.each([
    ["src/a.ts", "/repo/src/a.ts"],
    ["./src/../src//a.ts", "/repo/src/a.ts"],
    ["/repo/src/./a.ts", "/repo/src/a.ts"],
    ["../other/a.ts", "/other/a.ts"],
    ["__proto__", "/repo/__proto__"],
  ])("are written in one way: %s", (filepath, path) => {
    expect(factsOf(answer(done({ filepath })))).toEqual([{ type: "modified", path }])
  })

  it("that a snapshot found changed are modified, unless a call told more of them", () => {
    const patch: Part = { ...owner, type: "patch", hash: "tree", files: ["/repo/a", "/repo/by-bash"] }
    expect(factsOf(answer(done({ filepath: "/repo/a", hash: "aa" }), patch))).toEqual([
      { type: "modified", path: "/repo/a", hash: "aa" },
      { type: "modified", path: "/repo/by-bash" },
    ])
  })
})

it("tells no hash that a storage would take for the id of a blob", () => {
  const sha = "0123456789abcdef".repeat(4)
  for (const hash of [sha, `sha256:${sha}`]) {
    const facts = factsOf(answer(done({ filepath: "/repo/a", hash })))
    expect(facts).toEqual([{ type: "modified", path: "/repo/a", hash: `sha256:${sha}` }])
    expect(blobReferences(JSON.stringify(facts))).toEqual([])
  }
})

it("takes no value of another shape for a fact", () => {
  const odd: JSONObject[] = [
    { filepath: 3, filediff: "x", files: "x", results: 7, decision: {}, exit: "0" },
    { filepath: "", filediff: null, files: [null, "a", 1, []], results: [null, "x"], decision: " " },
    { filepath: "/a".repeat(5000), filediff: { file: 1 }, files: [{ filePath: {} }] },
  ]
  expect(factsOf(answer(...odd.map((metadata) => done(metadata))))).toEqual([])
  expect(factsOf(answer(done({ filepath: "/a", hash: "no hash\n" })))).toEqual([{ type: "modified", path: "/a" }])
})

describe("commands", () => {
  const bash = (metadata: JSONObject, input: JSONObject, output = "") => done(metadata, { tool: "bash", input, output })

  it("have their exit code, and the directory where it is another one", () => {
    expect(
      factsOf(
        answer(
          bash({ exit: 2 }, { command: "make" }),
          bash({ exit: null }, { command: "sleep 9", workdir: "/repo" }),
          done({ exit: 1 }, { tool: "shell", input: { command: "ls", workdir: "packages/core" } }),
        ),
      ),
    ).toEqual([
      { type: "command", command: "make", exit: 2 },
      { type: "command", command: "sleep 9" },
      { type: "command", command: "ls", directory: "/repo/packages/core", exit: 1 },
    ])
  })

  it("are not what another tool means by a command", () => {
    expect(factsOf(answer(done({}, { tool: "task", input: { command: "/review" } })))).toEqual([])
  })

  it("bring the tests that their output names", () => {
    const [fact] = factsOf(answer(bash({ exit: 1 }, { command: "go test" }, "--- FAIL: TestAdd (0.00s)\nFAIL\n")))
    expect(fact).toMatchObject({ tests: { isFailed: true, failing: ["TestAdd"] } })
  })
})

describe("what a tool tells of tests", () => {
  const tests = (told: JSONObject[string], output = "--- FAIL: TestShown (0.00s)\nFAIL\n") => {
    const [fact] = factsOf(answer(done({ exit: 1, tests: told }, { input: { command: "go test" }, output })))
    return fact?.type === "command" ? fact.tests : undefined
  }

  it("counts before what is left of its output", () => {
    expect(tests({ isFailed: true, failing: ["TestGone"] })).toEqual({ isFailed: true, failing: ["TestGone"] })
    expect(tests({ isFailed: false, failing: [] })).toEqual({ isFailed: false, failing: [] })
  })

  it("is kept as short as what is read, each name once and on one line", () => {
    const failing = ["a\nb", "a b", 7, " ", ...Array.from({ length: 50 }, (_, n) => `${n}${"x".repeat(300)}`)]
    const names = tests({ isFailed: true, failing })?.failing ?? []
    expect(names).toHaveLength(20)
    expect(names.slice(0, 2)).toEqual(["a b", `0${"x".repeat(199)}`])
  })

  it.each<[JSONObject[string]]>([[null], ["failed"], [[]], [{}], [{ isFailed: 1 }]])("is nothing as %j", (told) => {
    expect(tests(told)?.failing).toEqual(["TestShown"])
  })
})

describe("a call that failed", () => {
  const failed = (metadata: JSONObject, effect?: string): Part => {
    const state = { status: "error", input: { command: "make" }, error: "Aborted", metadata, time } as const
    return { ...owner, type: "tool", callID: "c", tool: "bash", state, ...(effect ? { metadata: { effect } } : {}) }
  }

  it("did what it did before, if it ran", () => {
    const filediff = { file: "/repo/a", patch: "" }
    expect(factsOf(answer(failed({ filediff }, "unsafe")))).toEqual([
      { type: "modified", path: "/repo/a" },
      { type: "command", command: "make" },
    ])
    expect(factsOf(answer(failed({ filediff })))).toEqual([])
  })

  it("read nothing and decided nothing", () => {
    expect(factsOf(answer(failed({ filepath: "/repo/a", decision: "x" }, "pure")))).toEqual([
      { type: "command", command: "make" },
    ])
  })
})

it("takes over what a tool says was decided", () => {
  expect(factsOf(answer(done({ decision: "Use tabs." })))).toEqual([{ type: "decision", text: "Use tabs." }])
})
