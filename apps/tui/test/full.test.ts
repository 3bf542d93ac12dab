/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { describe, expect, it } from "vitest"
import { type KeyPress } from "../src/terminal/keys.ts"
import { createTerminal } from "../src/terminal/terminal.ts"
import { ENTER, playingApp } from "./playing-app.ts"
import { createVirtualTerminal } from "./virtual-terminal.ts"

const answer = (...reply: readonly object[]) => ({ reply })
const PAGE_UP = "\u001B[5~"
const PAGE_DOWN = "\u001B[6~"
const HOME = "\u001B[H"
const END = "\u001B[F"
const numbers = Array.from({ length: 120 }, (_, at) => `Line ${at} has some words, 日本語 and 👍.`)

describe.each([
  [80, 24],
  [120, 40],
  [40, 15],
])("the whole window with %i columns and %i rows", (columns, rows) => {
  async function played(frames: string[] = []) {
    const script = [answer({ text: numbers.join("\n\n") }), answer({ text: "Second answer." })]
    const options = { isFull: true, onFrame: (frame: string) => void frames.push(frame) }
    const app = await playingApp(script, columns, rows, 0, options)
    app.type("Go")
    app.press(ENTER)
    await app.shows("Line 119 has")
    await app.idle()
    const screen = () => app.terminal.screen()
    /** Resolves when the screen matches. */
    const sees = (wanted: RegExp) => expect.poll(() => screen().join("\n"), { timeout: 30_000 }).toMatch(wanted)
    return { ...app, screen, sees }
  }

  it("shows the newest lines above the prompt, and writes nothing into a scrollback", async () => {
    const { screen, terminal, sees } = await played()
    await sees(/Line 119 has/)
    expect(screen()).toHaveLength(rows)
    expect(screen().at(-1)).toContain("build")
    expect(terminal.scrollback()).toHaveLength(rows)
    expect(screen().join("\n")).not.toContain("below")
  })

  it("scrolls by pages, to the start and to the end, and keeps the place while more is printed", async () => {
    const { press, type, screen, sees } = await played()
    press(PAGE_UP)
    await sees(/↓ \d+ lines below/)
    press(HOME)
    await sees(/^> Go\n\nLine 0 has/)
    press(PAGE_DOWN)
    await expect.poll(() => screen()[0]).not.toBe("> Go")
    await sees(/↓ \d+ lines below/)
    press(END)
    await sees(/Line 119 has/)

    press(HOME)
    await sees(/Line 0 has/)
    type("More")
    await sees(/Line 0 has[^]*More/)
    press(ENTER)
    await sees(/Second answer\./)
    press(PAGE_UP)
    await sees(/lines below/)
  })

  it("writes only the rows that have changed", async () => {
    const frames: string[] = []
    const { type, sees } = await played(frames)
    type("q")
    await sees(/> ?q|^q/m)
    frames.length = 0
    type("x")
    await sees(/qx/)
    const written = frames.join("").match(/\u001B\[\d+;1H\u001B\[2K/g) ?? []
    expect(written.length).toBeGreaterThan(0)
    expect(written.length).toBeLessThan(4)
  })

  it("breaks the lines again after a resize, and loses none", async () => {
    const { app, terminal, press, screen, sees } = await played()
    const words = new Set<string>()
    terminal.resize(columns - 13, rows - 3)
    app.resized()
    await expect.poll(screen).toHaveLength(rows - 3)
    press(HOME)
    await sees(/^> Go\n\nLine 0 has/)
    for (let page = 0; page < 200 && !words.has("119"); page++) {
      for (const [, number = ""] of screen()
        .join("\n")
        .matchAll(/Line (\d+)/g))
        words.add(number)
      const before = screen().join("\n")
      press(PAGE_DOWN)
      await expect.poll(() => screen().join("\n")).not.toBe(before)
      for (const [, number = ""] of screen()
        .join("\n")
        .matchAll(/Line (\d+)/g))
        words.add(number)
    }
    expect(words.size).toBe(120)
    terminal.resize(columns, rows)
    app.resized()
    await sees(/Line 119 has/)
  })

  it("leaves the last turn as lines", async () => {
    const { app } = await played()
    const lines = app.lastTurn()
    expect(lines[0]).toBe("> Go")
    expect(lines.join(" ")).toContain("Line 119")
  })
})

/** A terminal whose input is typed by the test, over a virtual one. */
function enteredTerminal() {
  const virtual = createVirtualTerminal(40, 10)
  const keys: KeyPress[] = []
  let feed: (data: Buffer) => void = () => undefined
  let drawn = Promise.resolve()
  const write = (text: string) => void (drawn = drawn.then(() => virtual.write(text)))
  const input = {
    on: (event: string, listener: (data: Buffer) => void) => void (event === "data" && (feed = listener)),
    ...{ off: () => undefined, resume: () => undefined, pause: () => undefined },
    ...{ ref: () => undefined, unref: () => undefined },
  }
  const terminal = createTerminal({
    ...{ input: input as never, output: { write }, writeNow: write, isFull: true },
    onKey: (key) => keys.push(key),
    onEnd: () => undefined,
  })
  return { virtual, keys, terminal, write, feed: (data: string) => feed(Buffer.from(data)), drawn: () => drawn }
}

describe("the modes of the whole window", () => {
  it("restore the normal screen and its scrollback, as often as they are left", async () => {
    const { virtual, terminal, write, drawn } = enteredTerminal()
    write(Array.from({ length: 30 }, (_, at) => `before ${at}\r\n`).join(""))
    await drawn()
    const before = virtual.scrollback()
    for (let time = 0; time < 3; time++) {
      terminal.enter()
      write("\u001B[1;1HInside\u001B[10;1Hat the bottom")
      await drawn()
      expect(virtual.scrollback()).toContain("Inside")
      expect(virtual.scrollback()).not.toContain("before 0")
      terminal.leave()
      await drawn()
      expect(virtual.scrollback()).toEqual(before)
    }
  })

  it("are restored when the process exits", async () => {
    const { virtual, terminal, drawn } = enteredTerminal()
    const others = process.listeners("exit")
    terminal.enter()
    const onExit = process.listeners("exit").find((listener) => !others.includes(listener))
    expect(onExit).toBeDefined()
    onExit?.(1)
    await drawn()
    expect(virtual.scrollback()).toEqual([])
    expect(process.listeners("exit")).toEqual(others)
  })

  it("report the wheel, and no click", () => {
    const { keys, terminal, feed } = enteredTerminal()
    terminal.enter()
    feed("\u001B[<64;3;4M\u001B[<65;30;400M\u001B[<0;3;4M\u001B[<0;3;4m\u001B[<69;1;1M")
    expect(keys.map(({ name }) => name)).toEqual(["wheelUp", "wheelDown", "wheelDown"])
    terminal.leave()
  })
})
