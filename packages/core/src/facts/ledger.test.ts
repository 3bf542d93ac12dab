import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JSONObject } from "../base/json.ts"
import { noTokens } from "../record/tokens.ts"
import type { MessageWithParts, Part } from "../record/message.ts"
import { emptyLedger, type Ledger } from "./ledger.ts"
import * as ledgers from "./ledger.ts"
// By its place: core must not depend on it.
import { outputFacts } from "../../../tools/src/output-facts/output-facts.ts"
import { renderLedger } from "./render-ledger.ts"

const foldLedger = (before: Ledger, messages: readonly MessageWithParts[]) => {
  return ledgers.foldLedger(before, messages, outputFacts)
}

interface Call {
  readonly metadata: JSONObject
  readonly input?: JSONObject
  readonly output?: string
  readonly effect?: "pure" | "unsafe"
}

function message(...calls: readonly Call[]): MessageWithParts {
  const owner = { id: "prt_1", sessionID: "ses_1", messageID: "msg_2" } as const
  const info = {
    ...({ id: "msg_2", sessionID: "ses_1", role: "assistant", parentID: "msg_1" } as const),
    ...{ providerID: "p", modelID: "m", agent: "build", mode: "build", path: { cwd: "/repo", root: "/repo" } },
    ...{ cost: 0, tokens: noTokens, time: { created: 1 } },
  }
  const parts = calls.map(({ metadata, input = {}, output = "", effect = "unsafe" }): Part => {
    const state = { status: "completed", input, output, title: "", metadata, time: { start: 1, end: 2 } } as const
    return { ...owner, type: "tool", callID: "c", tool: "any", state, metadata: { effect } }
  })
  return { info, parts }
}

const read = (filepath: string, hash?: string): Call => ({
  metadata: { filepath, ...(hash ? { hash } : {}) },
  effect: "pure",
})
const wrote = (filepath: string, hash?: string): Call => ({ metadata: { filepath, ...(hash ? { hash } : {}) } })
const deleted = (file: string): Call => ({ metadata: { filediff: { file, status: "deleted" } } })
const moved = (file: string, movePath: string): Call => ({ metadata: { files: [{ file, movePath }] } })
const ran = (command: string, exit: number | null, output = "", workdir?: string): Call => {
  return { metadata: { exit }, input: { command, ...(workdir === undefined ? {} : { workdir }) }, output }
}
const failed = (...names: string[]) => `${names.map((name) => `--- FAIL: ${name} (0.00s)\n`).join("")}FAIL\n`
const decided = (decision: string): Call => ({ metadata: { decision } })
const fold = (...calls: readonly Call[]) => foldLedger(emptyLedger, [message(...calls)])

describe("files", () => {
  it("have the hash of the last read and of the last modification", () => {
    expect(fold(read("a", "r1"), wrote("a", "m1"), wrote("a", "m2")).modified).toEqual([
      { path: "/repo/a", readHash: "r1", hash: "m2" },
    ])
    expect(fold(wrote("a", "m1"), read("a", "r2")).modified).toEqual([{ path: "/repo/a", readHash: "r2", hash: "m1" }])
  })

  it("keep no hash that is not the last one's", () => {
    expect(fold(wrote("a", "m1"), wrote("a")).modified).toEqual([{ path: "/repo/a" }])
    expect(fold(read("a", "r1"), read("a")).read).toEqual([{ path: "/repo/a" }])
  })

  it("stand once, under one name, the newest last", () => {
    const { modified, read: seen } = fold(
      wrote("a"),
      wrote("b"),
      wrote("./x/../a"),
      read("/repo/b"),
      read("c"),
      read("d"),
      read("c"),
    )
    expect(modified.map(({ path }) => path)).toEqual(["/repo/b", "/repo/a"])
    expect(seen.map(({ path }) => path)).toEqual(["/repo/d", "/repo/c"])
  })

  it("that are deleted or moved stay, as gone, until they are there again", () => {
    const gone = fold(read("a", "r1"), deleted("a"), wrote("b", "m1"), moved("b", "c"))
    expect(gone.modified).toEqual([
      { path: "/repo/a", readHash: "r1", gone: {} },
      { path: "/repo/b", gone: { movedTo: "/repo/c" } },
      { path: "/repo/c", hash: "m1" },
    ])
    expect(gone.read).toEqual([])
    const back = foldLedger(gone, [message(wrote("a", "m2"), read("b", "r3"))])
    expect(back.modified.filter((file) => file.gone)).toEqual([])
    expect(back.modified.find(({ path }) => path === "/repo/b")).toEqual({ path: "/repo/b", readHash: "r3" })
  })

  it("that were only read are dropped from the oldest on; modified ones never", () => {
    const many = Array.from({ length: 3000 }, (_, n) => n)
    const ledger = fold(...many.flatMap((n) => [read(`r${n}`), wrote(`w${n}`)]))
    expect(ledger.modified).toHaveLength(3000)
    expect(ledger.read.map(({ path }) => path)).toEqual(many.slice(-100).map((n) => `/repo/r${n}`))
  })
})

describe("commands", () => {
  it("stand once for each directory, as they ended last", () => {
    expect(fold(ran("make", 2), ran("ls", 0), ran("make", 0), ran("make", null, "", "web")).commands).toEqual([
      { command: "ls", exit: 0 },
      { command: "make", exit: 0, runs: 2 },
      { command: "make", directory: "/repo/web" },
    ])
  })

  it("are on one line, and cut in the middle", () => {
    const [entry] = fold(ran(`cat <<EOF\n${"😀 line\n".repeat(200)}EOF\nnpm test`, 0)).commands
    expect(entry?.command).toMatch(/^cat <<EOF 😀 line .* … .* EOF npm test$/u)
    expect(Array.from(entry?.command ?? "")).toHaveLength(200)
    expect(entry?.command.isWellFormed()).toBe(true)
  })

  it("are 40 at most", () => {
    const { commands } = fold(...Array.from({ length: 100 }, (_, n) => ran(`make ${n}`, 0)))
    expect(commands.map(({ command }) => command)).toEqual(Array.from({ length: 40 }, (_, n) => `make ${n + 60}`))
  })
})

describe("failing tests", () => {
  it("are those of the last run", () => {
    const first = fold(ran("go test", 1, failed("TestA", "TestB")))
    expect(first.failing).toEqual([{ command: "go test", tests: ["TestA", "TestB"] }])
    expect(foldLedger(first, [message(ran("go test", 1, failed("TestB")))]).failing[0]?.tests).toEqual(["TestB"])
    expect(foldLedger(first, [message(ran("go test", 0, "ok\n"))]).failing).toEqual([])
  })

  it.each(["go test 2>&1 | tail -5", "go test | grep -v ok | head", "go test 2>&1", "go   test"])(
    "are those of the same run however its output is shown: %s",
    (command) => {
      expect(fold(ran("go test", 1, failed("TestA")), ran(command, 0)).failing).toEqual([])
      expect(fold(ran(command, 0, failed("TestA")), ran("go test", 0)).failing).toEqual([])
    },
  )

  it("are kept by runs elsewhere, and by those that tell nothing", () => {
    const { failing } = fold(
      ran("go test", 1, failed("TestA")),
      ran("go test", 0, "", "web"),
      ran("go vet", 0),
      ran("go test", 2, "go: cannot find module"),
      ran("go test", null),
      ran("go test | tail -1", 0, "FAIL\n"),
    )
    expect(failing).toEqual([{ command: "go test", tests: ["TestA"] }])
  })

  it("of 40 commands are kept", () => {
    const { failing } = fold(...Array.from({ length: 60 }, (_, n) => ran(`go test ${n}`, 1, failed("TestA"))))
    expect(failing.map(({ command }) => command)).toEqual(Array.from({ length: 40 }, (_, n) => `go test ${n + 20}`))
  })

  it("are not lost behind a pipe that is no display", () => {
    expect(fold(ran("a | b", 1, failed("TestA")), ran("a", 0)).failing).toHaveLength(1)
    expect(fold(ran("a -t 'x|y'", 1, failed("TestA"))).failing[0]?.command).toBe("a -t 'x|y'")
  })
})

it("keeps decisions once, the newest 50, cut", () => {
  const { decisions } = fold(
    ...Array.from({ length: 60 }, (_, n) => decided(`D${n}`)),
    decided("D20"),
    decided("x".repeat(900)),
  )
  expect(decisions).toHaveLength(50)
  expect(decisions.slice(-2)).toEqual(["D20", "x".repeat(500)])
  expect(decisions.filter((text) => text === "D20")).toHaveLength(1)
})

it("takes any name for a name", () => {
  const names = ["__proto__", "constructor", "1", "0", "toString"]
  const calls = names.flatMap((name) => [wrote(name, "aa"), ran(name, 1, failed(name)), decided(name)])
  const ledger = JSON.parse(JSON.stringify(fold(...calls))) as Ledger
  expect(ledger.modified.map(({ path }) => path)).toEqual(names.map((name) => `/repo/${name}`))
  expect(ledger.commands.map(({ command }) => command)).toEqual(names)
  expect(ledger.failing.map(({ command, tests }) => [command, tests])).toEqual(names.map((name) => [name, [name]]))
})

it("takes no more than it promises besides the modified paths", () => {
  const text = (n: number) => `${n}${"x".repeat(990)}`
  const calls = Array.from({ length: 500 }, (_, n) => [
    read(`/${"d".repeat(90)}/${n}`, "f".repeat(64)),
    ran(text(n), 1, failed(...Array.from({ length: 50 }, (_, t) => `${t}${"t".repeat(400)}`))),
    decided(text(n)),
  ])
  expect(JSON.stringify(fold(...calls.flat())).length).toBeLessThan(250_000)
})

const name = fc.constantFrom("a", "b", "c", "d/e", "__proto__", "1")
const hash = fc.option(fc.constantFrom("aa", "bb"), { nil: undefined })
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(name, hash).map(([path, of]) => read(path, of)),
  fc.tuple(name, hash).map(([path, of]) => wrote(path, of)),
  fc.nat(150).map((n) => read(`many/${n}`, "cc")),
  name.map((path) => deleted(path)),
  fc.tuple(name, name).map(([from, to]) => moved(from, to)),
  fc.tuple(fc.nat(60), fc.constantFrom(0, 1, null), name).map(([n, exit, test]) => {
    return ran(`make ${n}`, exit, exit === 1 ? failed(test) : "")
  }),
  fc.nat(70).map((n) => decided(`D${n}`)),
)

describe("errors", () => {
  it("are those of commands that failed and of failed calls, each once, the newest last", () => {
    const { errors } = fold(
      ran("node a.js", 1, "start\nError: ERR_A: stale\n  at x"),
      ran("node b.js", 1, "TypeError: b"),
      ran("node c.js", 1, "Error: ERR_A: stale"),
      ran("grep Error:", 0, "Error: this is no error"),
    )
    expect(errors).toEqual([
      { source: "node b.js", text: "TypeError: b" },
      { source: "node c.js", text: "Error: ERR_A: stale" },
    ])
  })

  it("are not those of failing tests, which are listed by their names", () => {
    expect(fold(ran("go test", 1, `Error: expected 1\n${failed("TestA")}`)).errors).toEqual([])
  })

  it("are bounded, and may be missing in what an earlier version stored", () => {
    const { errors: _none, ...earlier } = emptyLedger
    const calls = Array.from({ length: 200 }, (_, n) => ran(`run ${n}`, 1, `Error: E${n}: ${"x".repeat(1000)}`))
    const { errors = [] } = foldLedger(earlier, [message(...calls)])
    expect(errors).toHaveLength(80)
    expect(errors.at(-1)?.source).toBe("run 199")
    expect(Math.max(...errors.map(({ text }) => text.length))).toBeLessThanOrEqual(200)
    expect(renderLedger(earlier)).toBeUndefined()
  })
})

describe("whatever was called", () => {
  const histories = fc.array(fc.array(call, { maxLength: 80 }), { maxLength: 12 })
  const messagesOf = (calls: readonly (readonly Call[])[]) => calls.map((each) => message(...each))

  it("folding in two halves, with the first one stored, is folding at once", () => {
    fc.assert(
      fc.property(histories, fc.nat(12), (calls, at) => {
        const messages = messagesOf(calls)
        const half = JSON.parse(JSON.stringify(foldLedger(emptyLedger, messages.slice(0, at)))) as Ledger
        expect(foldLedger(half, messages.slice(at))).toEqual(foldLedger(emptyLedger, messages))
      }),
      { numRuns: 200 },
    )
  })

  it("each modified path is in the ledger once, and in its text whatever the budget", () => {
    fc.assert(
      fc.property(histories, fc.nat(200), (calls, budget) => {
        const ledger = foldLedger(emptyLedger, messagesOf(calls))
        const touched = new Set(calls.flat().flatMap((each) => touchedBy(each)))
        expect(new Set(ledger.modified.map(({ path }) => path))).toEqual(touched)
        expect(ledger.modified).toHaveLength(touched.size)
        const text = renderLedger(ledger, { budget }) ?? ""
        for (const path of touched) expect(text).toContain(path)
      }),
      { numRuns: 100 },
    )
  })
})

function touchedBy({ metadata, effect }: Call): string[] {
  if (effect === "pure") return []
  const { filepath, filediff, files } = metadata as { filepath?: string; filediff?: Move; files?: Move[] }
  const names = [filepath, ...[filediff, ...(files ?? [])].flatMap((diff) => [diff?.file, diff?.movePath])]
  return names.filter((each) => each !== undefined).map((each) => `/repo/${each}`)
}

interface Move {
  readonly file: string
  readonly movePath?: string
}
