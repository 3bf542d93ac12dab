import { expect, it, onTestFinished } from "vitest"
import { takeStdout } from "./stray-output.ts"

function taken() {
  const before = Object.getOwnPropertyDescriptor(process, "stdout") ?? {}
  onTestFinished(() => void Object.defineProperty(process, "stdout", before))
  const lines: string[] = []
  return { lines, ...takeStdout((line) => void lines.push(line)) }
}

it("hands over whole lines, and what is left of one at the end", () => {
  const { lines, flush } = taken()

  process.stdout.write("one\ntw")
  process.stdout.write(Buffer.from("o ✓", "utf8").subarray(0, 4))
  process.stdout.write(Buffer.from("o ✓", "utf8").subarray(4))
  process.stdout.write("\n \n\nthree", "utf8")
  const ended = [...lines]
  flush()

  expect(ended).toEqual(["one", "two ✓"])
  expect(lines).toEqual(["one", "two ✓", "three"])
})

it("keeps no more of a line than fits a screen", () => {
  const { lines } = taken()

  process.stdout.write("x".repeat(20_000))

  expect(lines.map(({ length }) => length)).toEqual([8192, 8192, 3616])
})

it("tells the newest listener, and the one before when that has ended", () => {
  const { lines, listen } = taken()
  const own: string[] = []

  const unlisten = listen((line) => void own.push(line))
  process.stdout.write("first\nsec")
  unlisten()
  process.stdout.write("third\n")

  expect(own).toEqual(["first", "sec"])
  expect(lines).toEqual(["third"])
})

it("goes on when somebody has ended or destroyed it", async () => {
  const { lines, stdout } = taken()

  await new Promise<void>((resolve) => void process.stdout.end("one\n", resolve))
  process.stdout.destroy()
  process.stdout.write("two\n")

  expect(lines).toEqual(["one", "two"])
  expect(stdout.destroyed).toBe(false)
})
