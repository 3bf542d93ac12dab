import { describe, expect, it } from "vitest"
import { parseArguments } from "./arguments.ts"

describe("parseArguments", () => {
  it("has defaults for everything but the script", () => {
    expect(parseArguments(["a.jsonl"])).toEqual({
      type: "serve",
      script: "a.jsonl",
      repeat: false,
      delay: 0,
      log: undefined,
      apiKey: undefined,
      models: undefined,
      strict: true,
    })
  })

  it("reads every option", () => {
    const argv = ["--repeat", "--delay", "5", "--log", "l", "--api-key", "k", "--models", "a,b", "--no-strict", "s"]

    expect(parseArguments(argv)).toEqual({
      type: "serve",
      script: "s",
      repeat: true,
      delay: 5,
      log: "l",
      apiKey: "k",
      models: ["a", "b"],
      strict: false,
    })
    expect(parseArguments(["--help"])).toEqual({ type: "help" })
  })

  it.each([
    [[], "Give the script file"],
    [["a", "b"], "one script file, not 2"],
    [["--delay", "soon", "a"], '--delay is a number of milliseconds up to 2147483647, not "soon"'],
    [["--delay", "2147483648", "a"], "--delay is a number"],
    [["--delay", "1e999", "a"], "--delay is a number"],
    [["--delay=", "a"], "--delay is a number"],
    [["--delay=-1", "a"], "--delay is a number"],
    [["--quick", "a"], "--quick"],
  ])("refuses %j", (argv, problem) => {
    expect(() => parseArguments(argv)).toThrow(problem)
  })
})
