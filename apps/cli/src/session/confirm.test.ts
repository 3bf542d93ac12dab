import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { capturedOutput, testHost } from "../../test/host.ts"
import { listenForStop } from "../run/stop.ts"
import { confirm } from "./confirm.ts"

function asking() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const host = {
    ...testHost(),
    stdin: stdin as unknown as NodeJS.ReadStream,
    stderr: capturedOutput({ isTerminal: true }),
  }
  const stop = listenForStop(testHost(), () => 0)
  const answer = confirm("Remove it?", { host, stop })
  const asked = async () => {
    const { stream } = host.stderr
    await expect.poll(() => String((stream as PassThrough).read() ?? "")).toContain("Remove it?")
  }
  return { stdin, stop, answer, asked }
}

it.each([
  ["y\n", true],
  ["Yes \n", true],
  ["n\n", false],
])("takes %j for %s", async (typed, meant) => {
  const { stdin, answer, asked } = asking()
  await asked()

  stdin.write(typed)

  expect(await answer).toBe(meant)
})

it("asks again where it is neither", async () => {
  const { stdin, answer, asked } = asking()
  await asked()
  stdin.write("maybe\n")
  await asked()
  stdin.write("yes\n")

  expect(await answer).toBe(true)
})

it("takes nothing for yes that was typed before the question, nor a terminal that closes, nor a stop", async () => {
  const early = asking()
  early.stdin.write("y\n")
  await early.asked()
  early.stdin.end()
  const stopped = asking()
  await stopped.asked()
  stopped.stop.interrupt()

  expect(await Promise.all([early.answer, stopped.answer])).toEqual([false, false])
})
