import { describe, expect, it } from "vitest"
import { capturedOutput, sharedTerminal } from "../../test/host.ts"
import { createTheme } from "@pawl/terminal-text/theme"
import { createScreen } from "./screen.ts"

const theme = createTheme(false)

function shared(columns?: number) {
  const terminal = sharedTerminal(columns)
  let time = 0
  const screen = createScreen({ ...terminal, theme, now: () => time })
  return { screen, text: terminal.text, pass: (milliseconds: number) => void (time += milliseconds) }
}

describe("on one terminal", () => {
  it("sets answers and notes apart, and notes together", () => {
    const { screen, text } = shared()

    screen.note(["one", "two"])
    screen.note(["three"])
    screen.answer("The ")
    screen.answer("answer.")
    screen.note(["four"])
    screen.note(["five"], true)
    screen.answer("More.")
    screen.close()

    expect(text()).toBe("one\ntwo\nthree\n\nThe answer.\n\nfour\n\nfive\n\nMore.\n")
  })

  it("separates two answers that follow each other", () => {
    const { screen, text } = shared()

    screen.answer("One.")
    screen.endAnswer()
    screen.answer("Two.")
    screen.close()

    expect(text()).toBe("One.\n\nTwo.\n")
  })

  it("draws the status below everything else, with the time it takes, and leaves nothing of it", () => {
    const { screen, text, pass } = shared()

    screen.note(["done"])
    screen.status({ label: "waiting", since: 0 })
    expect(text()).toMatch(/^done\n\S waiting$/)
    pass(65_000)
    screen.note(["more"])
    expect(text()).toMatch(/^done\nmore\n\S waiting · 1m 05s$/)
    screen.status(undefined)
    expect(text()).toBe("done\nmore\n")
  })

  it("draws no status into an answer's line", () => {
    const { screen, text } = shared()

    screen.status({ label: "waiting", since: 0 })
    screen.answer("The answer")
    screen.status({ label: "thinking", since: 0 })

    expect(text()).toBe("The answer")
    screen.close()
  })

  it("cuts the status to the width", () => {
    const { screen, text } = shared(20)

    screen.status({ label: "bash a command that is long", since: 0 })

    expect(text()).toMatch(/^\S bash a command t…$/)
    screen.close()
  })

  it("keeps everything back while somebody else writes, and shows it afterwards in its order", async () => {
    const { screen, text } = shared()
    screen.status({ label: "waiting", since: 0 })

    await screen.hold(async () => {
      screen.note(["one"])
      screen.answer("answer")
      screen.note(["two"])
      screen.status({ label: "waiting for more", since: 0 })
      expect(text()).toBe("")
    })

    expect(text()).toMatch(/^one\n\nanswer\n\ntwo\n\S waiting for more$/)
    screen.close()
  })

  it("shows what was kept back when the other one fails, too", async () => {
    const { screen, text } = shared()

    const held = screen.hold(async () => {
      screen.note(["one"])
      throw new Error("The terminal closed.")
    })

    await expect(held).rejects.toThrow("The terminal closed.")
    expect(text()).toBe("one\n")
  })
})

describe("where answer and notes go to different places", () => {
  it("puts nothing between answers but an empty line", () => {
    const [stdout, stderr] = [capturedOutput(), capturedOutput()]
    const screen = createScreen({ stdout, stderr, theme, now: () => 0 })

    screen.answer("One.")
    screen.note(["note"])
    screen.endAnswer()
    screen.note(["apart"], true)
    screen.answer("Two.")
    screen.close()

    expect(stdout.text()).toBe("One.\n\nTwo.\n")
    expect(stderr.text()).toBe("note\n\napart\n")
  })

  it("draws no status where there is no terminal", () => {
    const [stdout, stderr] = [capturedOutput(), capturedOutput()]
    const screen = createScreen({ stdout, stderr, theme, now: () => 0 })

    screen.status({ label: "waiting", since: 0 })
    screen.close()

    expect(stderr.text()).toBe("")
  })

  it("draws it on a terminal while the answer goes into a file", () => {
    const [stdout, stderr] = [capturedOutput(), capturedOutput({ isTerminal: true })]
    const screen = createScreen({ stdout, stderr, theme, now: () => 0 })

    screen.answer("Middle of a line")
    screen.status({ label: "waiting", since: 0 })

    expect(stderr.text()).toContain("waiting")
    screen.close()
  })
})
