import { expect, it } from "vitest"
import { testHost } from "../../test/host.ts"
import { exitCodes } from "../exit-code.ts"
import { type CommandForm, defineCommand } from "./command.ts"

const form = {
  usage: [],
  words: { min: 1, max: 1, missing: "Which one?" },
  options: { loud: { summary: "" } },
  examples: [],
} as const satisfies CommandForm

/** A command that notes what of it is loaded. */
function noted() {
  const loaded: string[] = []
  const command = defineCommand({
    ...{ name: "greet", group: "Start", summary: "Greet a user." },
    form: async () => {
      loaded.push("form")
      return form
    },
    code: async () => {
      loaded.push("code")
      return async ({ options, words }, { stdout }) => {
        stdout.write(`${words.join(" ")}${options.loud ? "!" : ""}`)
        return exitCodes.success
      }
    },
  })
  return { command, loaded }
}

it("loads nothing of a command before it is run, then its form and its code", async () => {
  const { command, loaded } = noted()
  const host = testHost()
  expect(loaded).toEqual([])

  expect(await command.run(["--loud", "Ann"], host)).toBe(exitCodes.success)
  expect(host.stdout.text()).toBe("Ann!")
  expect(loaded).toEqual(["form", "code"])
})

it.each([
  { given: [], says: "Which one?" },
  { given: ["--soft", "Ann"], says: "unknown option --soft for pawl greet" },
])("does not load the code for what is written wrongly: $given", async ({ given, says }) => {
  const { command, loaded } = noted()

  await expect(command.run(given, testHost())).rejects.toThrow(says)
  expect(loaded).toEqual(["form"])
})
