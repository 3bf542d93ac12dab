import { execFileSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createSecrets } from "@pawl/secrets"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../test/temporary-directory.ts"
import { proposedChange, proposedLines, type ProposingCall } from "./proposed-change.ts"
import { createTheme } from "./theme.ts"

async function shown(call: ProposingCall, file?: string, columns = 40): Promise<string[] | undefined> {
  const change = await proposedChange(call, file)
  return change && proposedLines(change, columns, createTheme(false))
}

it("compares what is written with the file that is there", async () => {
  const file = join(await temporaryDirectory(), "a.txt")
  await writeFile(file, "one\ntwo\nthree\n")

  const lines = await shown({ tool: "write", input: { content: "one\n2\nthree\n" } }, file)

  expect(lines).toEqual(["│   one", "│ - two", "│ + 2", "│   three"])
})

it("takes a path that is no regular file for an empty one, and does not wait for it", async () => {
  const file = join(await temporaryDirectory(), "fifo")
  execFileSync("mkfifo", [file])

  expect(await shown({ tool: "write", input: { content: "one\n" } }, file)).toEqual(["│ + one"])
})

it.each<[string, ProposingCall, string[]]>([
  ["an edit", { tool: "edit", input: { oldString: "a\nb", newString: "a\nc" } }, ["│   a", "│ - b", "│ + c"]],
  [
    "several edits",
    {
      tool: "multiedit",
      input: {
        edits: [
          { oldString: "a", newString: "b" },
          { oldString: "c", newString: "" },
        ],
      },
    },
    ["│ - a", "│ + b", "│ - c"],
  ],
  [
    "a patch",
    {
      tool: "apply_patch",
      input: { patchText: "*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+2\n*** End Patch\n" },
    },
    ["│   *** Update File: a", "│   @@", "│   one", "│ - two", "│ + 2"],
  ],
])("shows %s", async (_, call, lines) => {
  expect(await shown(call)).toEqual(lines)
})

it("shows a change of long texts from the first line that differs", async () => {
  const [before, after] = ["x", "y"].map(
    (letter) => `${"a\n".repeat(20_000)}${letter.repeat(70_000)}\n${"b\n".repeat(9)}`,
  )

  const lines = await shown({ tool: "edit", input: { oldString: before, newString: after } })

  expect(lines).toHaveLength(21)
  expect(lines?.[0]).toMatch(/^│ - x+$/)
  expect(lines?.at(-1)).toBe("│ … 2 more lines")
})

it("cuts one endless line too, and leaves other tools alone", async () => {
  const lines = await shown({ tool: "write", input: { content: "x".repeat(100_000) } })
  expect(lines).toHaveLength(21)
  expect(lines?.at(-1)).toBe("│ … 1 more line")
  expect(await shown({ tool: "bash", input: { command: "ls" } })).toBeUndefined()
})

const BEGIN = ["-----BEGIN ", "PRIVATE KEY-----"].join("")
const END = ["-----END ", "PRIVATE KEY-----"].join("")
const pem = (...lines: readonly string[]) => [BEGIN, ...lines, END].join("\n")
const body = Array.from({ length: 12 }, (_, at) => `MIIE${String.fromCodePoint(97 + at).repeat(60)}`)
const other = body.with(5, `MIIE${"z".repeat(60)}`)
const removed = "[removed:secret.private-key]"

it.each<[string, ProposingCall, string | undefined, string[]]>([
  [
    "a new file",
    { tool: "write", input: { content: `a\n${pem(...body)}\nb\n` } },
    undefined,
    ["│ + a", `│ + ${removed}`, "│ + b"],
  ],
  [
    "one line within a key",
    { tool: "write", input: { content: `a\n${pem(...other)}\nb\n` } },
    `a\n${pem(...body)}\nb\n`,
    [`│   ${removed}`, `│ - ${removed}`, `│ + ${removed}`, `│   ${removed}`],
  ],
  [
    "a key of an edit",
    { tool: "edit", input: { oldString: pem(...body), newString: "none" } },
    undefined,
    [`│ - ${removed}`, "│ + none"],
  ],
  [
    "a key of a patch",
    {
      tool: "apply_patch",
      input: {
        patchText: ["*** Update File: a", ` ${BEGIN}`, ` ${body[0]}`, `-${body[1]}`, `+${other[5]}`, ` ${END}`].join(
          "\n",
        ),
      },
    },
    undefined,
    ["│   *** Update File: a", `│   ${removed}`, `│ - ${removed}`, `│ + ${removed}`, `│   ${removed}`],
  ],
])("masks a secret of several lines as a whole in a change: %s", async (_what, call, content, lines) => {
  const file = join(await temporaryDirectory(), "key.pem")
  if (content !== undefined) await writeFile(file, content)
  const secrets = createSecrets()

  const change = await proposedChange(call, content === undefined ? undefined : file, (text) => secrets.mask(text))

  expect(change && proposedLines(change, 80, createTheme(false))).toEqual(lines)
})
