import { describe, expect, it } from "vitest"
import { parseArguments, type ParsedForm } from "./parse.ts"
import { UsageError } from "./usage-error.ts"

const form = {
  name: "run",
  words: { min: 0, max: 2 },
  options: {
    model: { short: "m", value: "<provider/model>", summary: "" },
    continue: { short: "c", summary: "" },
    file: { short: "f", value: "<path>", multiple: true, summary: "" },
    format: { value: "<format>", choices: ["text", "json"], summary: "" },
    trust: { value: "<hash>", isOptional: true, summary: "" },
  },
} as const satisfies ParsedForm

describe("reads", () => {
  it.each([
    { given: [], options: {}, words: [] },
    { given: ["a", "b"], options: {}, words: ["a", "b"] },
    { given: ["--model", "a/b"], options: { model: "a/b" }, words: [] },
    { given: ["--model=a=b"], options: { model: "a=b" }, words: [] },
    { given: ["-m", "a/b", "task"], options: { model: "a/b" }, words: ["task"] },
    { given: ["-ma/b"], options: { model: "a/b" }, words: [] },
    { given: ["-cm", "a/b"], options: { continue: true, model: "a/b" }, words: [] },
    { given: ["task", "-c"], options: { continue: true }, words: ["task"] },
    { given: ["-f", "a", "x", "--file", "b", "-f=c"], options: { file: ["a", "b", "=c"] }, words: ["x"] },
    { given: ["-m", "a/b", "-m", "c/d"], options: { model: "c/d" }, words: [] },
    { given: ["--", "-c", "--model"], options: {}, words: ["-c", "--model"] },
    { given: ["-c", "--", "--"], options: { continue: true }, words: ["--"] },
    { given: ["-"], options: {}, words: ["-"] },
    { given: ["-f", "-", "-"], options: { file: ["-"] }, words: ["-"] },
    { given: ["--model=--odd"], options: { model: "--odd" }, words: [] },
    { given: ["--format", "json"], options: { format: "json" }, words: [] },
    { given: ["--trust", "task"], options: { trust: true }, words: ["task"] },
    { given: ["--trust=0af1", "task"], options: { trust: "0af1" }, words: ["task"] },
  ])("$given", ({ given, options, words }) => {
    expect(parseArguments(form, given)).toEqual({ options, words, general: {} })
  })
})

describe("refuses", () => {
  it.each([
    { given: ["--modle", "x"], says: "unknown option --modle for pawl run; did you mean --model?" },
    { given: ["--cont"], says: "did you mean --continue?" },
    { given: ["--zebra"], says: "unknown option --zebra for pawl run" },
    { given: ["-x"], says: "unknown option -x for pawl run" },
    { given: ["-cx"], says: "unknown option -x for" },
    { given: ["--no-continue"], says: "unknown option --no-continue" },
    { given: ["--constructor"], says: "unknown option --constructor" },
    { given: ["--model"], says: "--model requires a value: --model <provider/model>" },
    { given: ["--model="], says: "--model requires a value" },
    { given: ["--trust="], says: "--trust requires a value" },
    { given: ["-m"], says: "-m requires a value" },
    { given: ["-m", "-c"], says: "-m requires a value" },
    { given: ["-m", "--", "x"], says: "-m requires a value" },
    { given: ["--continue=yes"], says: 'unexpected value "yes" for --continue' },
    { given: ["--format", "xml"], says: 'invalid value "xml" for --format: expected text or json' },
    { given: ["a", "b", "c"], says: 'unexpected argument "c" for pawl run' },
  ])("$given", ({ given, says }) => {
    const parse = () => parseArguments(form, given)

    expect(parse).toThrow(UsageError)
    expect(parse).toThrow(says)
    expect(parse).toThrow(expect.objectContaining({ hint: "See: pawl run --help" }))
  })

  it("too few words with what is missing", () => {
    const one = { ...form, words: { min: 1, max: 1, missing: "Which session?" } }

    expect(() => parseArguments(one, ["-c"])).toThrow("Which session?")
  })
})
