import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { terminalPrompter } from "./prompter.ts"

function terminal({ isTTY = true } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stderr = capturedOutput({ isTerminal: true })
  const stop = new AbortController()
  const host = { stdin: stdin as unknown as NodeJS.ReadStream, stderr, environment: {} }
  const interrupt = () => stop.abort()
  const prompter = terminalPrompter(host, { signal: stop.signal, interrupt, dispose: () => undefined })
  async function type(typed: string, after: string): Promise<void> {
    await expect.poll(() => stderr.text()).toContain(after)
    stdin.write(typed)
  }
  return { prompter, stderr, type }
}

it("shows nothing of a key that is typed, and asks until there is one", async () => {
  const { prompter, stderr, type } = terminal()
  const typed = prompter?.hidden("Key", (answer) => (answer === "" ? "Nothing was typed." : undefined))

  await type("\n", "Key: ")
  await type("s3cret\n", "Nothing was typed.\nKey: ")

  expect(await typed).toBe("s3cret")
  expect(stderr.text()).toBe("Key: \nNothing was typed.\nKey: \n")
})

it("ends with an error where it is broken off", async () => {
  const { prompter, type } = terminal()
  const ended = prompter?.hidden("Key", () => undefined).catch((error: Error) => error.message)

  await type("\u0003", "Key: ")

  expect(await ended).toBe("The sign-in was canceled.")
})

it("is not there without a terminal", () => {
  expect(terminal({ isTTY: false }).prompter).toBeUndefined()
})
