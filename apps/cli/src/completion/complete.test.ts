import { expect, it } from "vitest"
import { commands } from "../command-table.ts"
import { complete } from "./complete.ts"

async function texts(...words: readonly string[]): Promise<string[]> {
  const { candidates, source } = await complete(commands, words)
  return source === undefined ? candidates.map(({ text }) => text) : [`:${source}`]
}

it("completes the first word of commands, with what each does", async () => {
  expect(await texts("ses")).toEqual(["session"])
  expect(await texts("")).toEqual(expect.arrayContaining(["run", "session", "config", "completion"]))
  expect((await complete(commands, ["mod"])).candidates).toEqual([
    { text: "models", summary: "List the available models." },
  ])
})

it("completes the second word of groups, and the words of help", async () => {
  expect(await texts("config", "")).toEqual(["show", "files", "schema"])
  expect(await texts("help", "session", "sho")).toEqual(["show"])
  expect(await texts("questions", "")).toEqual(["answer"])
})

it("offers the options of every command where there is no command yet", async () => {
  expect(await texts("-")).toEqual(expect.arrayContaining(["--json", "--config", "--help", "--version"]))
  expect(await texts("--json", "--")).not.toContain("--json")
  expect(await texts("run", "--v")).toEqual(["--variant", "--verbose"])
})

it("offers the options that are left, and those again that may be repeated", async () => {
  const first = await texts("run", "--")
  expect(first).toEqual(expect.arrayContaining(["--model", "--file", "--format", "--help"]))
  const later = await texts("run", "-m", "a/b", "--format=json", "--file", "a", "--")
  expect(later).toContain("--file")
  expect(later).not.toContain("--model")
  expect(later).not.toContain("--format")
})

it.each([
  { words: ["run", "--format", ""], after: ["text", "json"] },
  { words: ["run", "--format=j"], after: ["--format=json"] },
  { words: ["run", "--dir", ""], after: [":directories"] },
  { words: ["run", "-f", "src/"], after: [":files"] },
  { words: ["run", "-m", "loc"], after: [":models"] },
  { words: ["run", "-s", ""], after: [":sessions"] },
  { words: ["session", "show", ""], after: [":sessions"] },
  { words: ["session", "import", ""], after: [":files"] },
  { words: ["mcp", "remove", ""], after: [] },
  { words: ["config", "schema", ""], after: [] },
  { words: ["mcp", "add", "x", "--", "no"], after: [":files"] },
  { words: ["nonsense", ""], after: [] },
  { words: ["run", "--nonsense=x"], after: [] },
  { words: ["--log-level", "d"], after: ["debug"] },
  { words: ["--config", ""], after: [":files"] },
  { words: ["--color=n"], after: ["--color=never"] },
  { words: ["--config", "x.json", "mod"], after: ["models"] },
  { words: ["--json", "session", "sho"], after: ["show"] },
  { words: ["session", "--json", "sho"], after: ["show"] },
  { words: ["-q", "session", "show", ""], after: [":sessions"] },
  { words: ["-q", "run", "--format", ""], after: ["text", "json"] },
  { words: ["run", "--record", ""], after: [":files"] },
  { words: ["replay", ""], after: [":files"] },
  { words: ["replay", "--against", "o"], after: [":models"] },
  { words: ["provider", ""], after: ["add"] },
  { words: ["provider", "add", "--i"], after: ["--id"] },
])("knows what comes next: $words", async ({ words, after }) => {
  expect(await texts(...words)).toEqual(after)
})
