import { expect, it } from "vitest"
import { capturedOutput } from "../../test/host.ts"
import { quietOutput } from "./quiet-output.ts"

it("keeps back what is written, and drops what is drawn over", () => {
  const real = capturedOutput({ isTerminal: true })
  const quiet = quietOutput(real)

  quiet.write("a note\n")
  quiet.write("\r\u001B[2Kworking")
  expect(real.text()).toBe("")

  quiet.release()
  quiet.write("more\n")
  expect(real.text()).toBe("a note\nmore\n")
})

it("shows what led to a question", () => {
  const real = capturedOutput({ isTerminal: true })
  const quiet = quietOutput(real)
  quiet.write("these would go:\n")

  expect(quiet.stream).toBe(real.stream)
  expect(real.text()).toBe("these would go:\n")
})
