import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { serveSessions } from "./serve-sessions.ts"

function serving(signal = new AbortController().signal) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const host = { version: "1.0.0", open: () => Promise.reject(new Error("not for this test")) }
  return { input, ended: serveSessions(host, { input, output: output.resume(), signal }) }
}

it("ends with a reason when a message is too long to be read", async () => {
  const { input, ended } = serving()
  const failed = ended.catch((error: unknown) => error)
  for (let megabyte = 0; megabyte < 11; megabyte++) input.write("x".repeat(1024 * 1024))

  expect(String(await failed)).toMatch(/Nothing more can be read from the client: .*maximum size/)
})

it("goes on after what is no message, and ends with its input", async () => {
  const { input, ended } = serving()
  input.write("nonsense\n[]\n{}\n")
  input.end()

  await expect(ended).resolves.toBeUndefined()
})

it("ends with its signal", async () => {
  const abort = new AbortController()
  const { ended } = serving(abort.signal)
  abort.abort()

  await expect(ended).resolves.toBeUndefined()
})
