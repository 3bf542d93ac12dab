import { describe, expect, it } from "vitest"
import { seeded } from "../../test/seeded.ts"
import { defaultOutputLimits, type OutputLimits, truncate } from "./truncate.ts"

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n")
const size = (text: string) => Buffer.byteLength(text)
/** As people count: an end of line at the very end opens no further line. */
const lineCount = (text: string) => text.replace(/\n$/, "").split("\n").length

const wide: OutputLimits = { lines: 1_000, bytes: 1_000_000 }
const keeps = ["head", "tail"] as const

describe("a text that fits is left alone", () => {
  it.each<[string, string, OutputLimits]>([
    ["empty", "", { lines: 1, bytes: 0 }],
    ["exactly as long as allowed", "12345", { lines: 1, bytes: 5 }],
    ["exactly as many lines as allowed", "a\nb\nc", { lines: 3, bytes: 100 }],
    ["ending its last line", "a\nb\nc\n", { lines: 3, bytes: 6 }],
    ["exactly as many bytes as allowed, in wide characters", "éé世😀", { lines: 1, bytes: 11 }],
    ["of empty lines", "\n\n\n", { lines: 3, bytes: 3 }],
  ])("%s", (_name, text, limits) => {
    for (const keep of keeps) expect(truncate(text, keep, limits)).toBeUndefined()
  })
})

describe("too many lines", () => {
  it("keep the first or the last ones", () => {
    expect(truncate(numbered(5), "head", { ...wide, lines: 2 })).toEqual({ text: "line 1\nline 2\n", droppedLines: 3 })
    expect(truncate(numbered(5), "tail", { ...wide, lines: 2 })).toEqual({ text: "line 4\nline 5", droppedLines: 3 })
  })

  it("by one, and with an end behind the last", () => {
    expect(truncate("a\nb\nc", "head", { ...wide, lines: 2 })).toEqual({ text: "a\nb\n", droppedLines: 1 })
    expect(truncate("a\nb\nc\n", "tail", { ...wide, lines: 2 })).toEqual({ text: "b\nc\n", droppedLines: 1 })
  })

  it("that are empty count like others", () => {
    expect(truncate("\n\n\n\n", "head", { ...wide, lines: 3 })).toEqual({ text: "\n\n\n", droppedLines: 1 })
    expect(truncate("\n\n\n\n", "tail", { ...wide, lines: 3 })).toEqual({ text: "\n\n\n", droppedLines: 1 })
  })
})

describe("too many bytes", () => {
  it("keep whole lines", () => {
    expect(truncate("aaaa\nbbbb\ncccc", "head", { ...wide, bytes: 12 })).toEqual({
      text: "aaaa\nbbbb\n",
      droppedLines: 1,
    })
    expect(truncate("aaaa\nbbbb\ncccc", "tail", { ...wide, bytes: 12 })).toEqual({
      text: "bbbb\ncccc",
      droppedLines: 1,
    })
  })

  it("are counted in UTF-8, not in characters", () => {
    expect(truncate("世世\n世世", "head", { ...wide, bytes: 12 })?.text).toBe("世世\n")
    expect(truncate("世世\n世世", "tail", { ...wide, bytes: 12 })?.text).toBe("世世")
  })
})

describe("one giant line", () => {
  it("is cut at the limit", () => {
    expect(truncate("abcdefgh", "head", { ...wide, bytes: 3 })).toEqual({ text: "abc", droppedLines: 0 })
    expect(truncate("abcdefgh", "tail", { ...wide, bytes: 3 })).toEqual({ text: "fgh", droppedLines: 0 })
  })

  it.each([
    ["é".repeat(10), 5, "éé"],
    ["世".repeat(10), 8, "世世"],
    ["😀".repeat(10), 4, "😀"],
    ["😀".repeat(10), 7, "😀"],
    ["😀".repeat(10), 3, ""],
  ])("of %s is cut at a border of characters: %d bytes", (text, bytes, expected) => {
    for (const keep of keeps) expect(truncate(text, keep, { ...wide, bytes })?.text).toBe(expected)
  })

  it("is cut where it stands at the kept end, and left out where other lines fit", () => {
    const giant = "x".repeat(100)
    expect(truncate(`${giant}\nend`, "head", { ...wide, bytes: 10 })?.text).toBe("x".repeat(10))
    expect(truncate(`${giant}\nend`, "tail", { ...wide, bytes: 10 })).toEqual({ text: "end", droppedLines: 1 })
    expect(truncate(`start\n${giant}`, "head", { ...wide, bytes: 10 })).toEqual({ text: "start\n", droppedLines: 1 })
  })

  it.each(keeps)("keeps replacement characters that are the text's own: %s", (keep) => {
    const text = `${"\uFFFD".repeat(3)}${"x".repeat(10)}${"\uFFFD".repeat(3)}`
    const kept = truncate(text, keep, { ...wide, bytes: 12 })?.text
    expect(kept).toBe(keep === "head" ? "\uFFFD\uFFFD\uFFFDxxx" : "xxx\uFFFD\uFFFD\uFFFD")
  })
})

describe("whatever the text and the limits", () => {
  const random = seeded(19)
  const below = (count: number) => Math.floor(random() * count)
  const characters = ["a", "b", "\n", "\n", "\r\n", "é", "世", "😀", "e\u0301", " ", "\uFFFD", "\uFEFF"]
  const someText = () => Array.from({ length: below(60) }, () => characters[below(characters.length)]).join("")
  const cases = Array.from({ length: 5_000 }, () => {
    return {
      text: someText(),
      keep: keeps[below(2)] as "head" | "tail",
      limits: { lines: 1 + below(8), bytes: 4 + below(60) },
    }
  })

  it("what is kept stays within both limits, and is the beginning or the end of the text", () => {
    for (const { text, keep, limits } of cases) {
      const kept = truncate(text, keep, limits)?.text ?? text
      expect(size(kept)).toBeLessThanOrEqual(limits.bytes)
      expect(lineCount(kept)).toBeLessThanOrEqual(limits.lines)
      expect(keep === "head" ? text.startsWith(kept) : text.endsWith(kept)).toBe(true)
    }
  })

  it("a text is truncated exactly when it is over a limit", () => {
    for (const { text, keep, limits } of cases) {
      const isOver = size(text) > limits.bytes || lineCount(text) > limits.lines
      expect(truncate(text, keep, limits) !== undefined).toBe(isOver)
    }
  })

  it("no further whole line would have fitted", () => {
    for (const { text, keep, limits } of cases) {
      const kept = truncate(text, keep, limits)?.text
      if (kept === undefined) continue
      const lines = text.split(/(?<=\n)/)
      const counted = lineCount(kept)
      const more = keep === "head" ? lines.slice(0, counted + 1).join("") : lines.slice(-counted - 1).join("")
      expect(counted === limits.lines || size(more) > limits.bytes || more === kept).toBe(true)
    }
  })

  it("dropped and kept lines make up all of the text's", () => {
    for (const { text, keep, limits } of cases) {
      const cut = truncate(text, keep, limits)
      expect(cut ? cut.droppedLines + lineCount(cut.text) : lineCount(text)).toBe(lineCount(text))
    }
  })
})

it("keeps 2,000 lines or 50 KiB by default", () => {
  expect(truncate(numbered(2_000), "head", defaultOutputLimits)).toBeUndefined()
  expect(truncate(numbered(2_001), "head", defaultOutputLimits)?.droppedLines).toBe(1)
  expect(truncate("x".repeat(51_200), "tail", defaultOutputLimits)).toBeUndefined()
  expect(truncate("x".repeat(51_201), "tail", defaultOutputLimits)?.text).toHaveLength(51_200)
})
