import { describe, expect, it } from "vitest"
import type { EditedText } from "../terminal/edited-text.ts"
import { vimKey } from "./vim.ts"
import { freshState, type VimState, type VimStep } from "./vim-state.ts"

const SPECIAL: Readonly<Record<string, string>> = { "<esc>": "escape", "<c-r>": "ctrl+r" }

/** Takes the caret from `|` in a text. */
function marked(text: string): EditedText {
  return { text: text.replace("|", ""), caret: Math.max(0, text.indexOf("|")) }
}

function shown({ text, caret }: EditedText): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

/** Types keys as an editor does that inserts what it gets in insert mode. */
function typed(keys: string, from: EditedText, begun?: VimState): VimStep {
  let step: VimStep = { state: { ...(begun ?? freshState(from)), mode: "normal", insertion: undefined }, edited: from }
  const effects: string[] = []
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" })
  const pressed = keys.split(/(<esc>|<c-r>)/).flatMap((piece) => {
    return SPECIAL[piece] ?? Array.from(segments.segment(piece), ({ segment }) => segment)
  })
  for (const key of pressed) {
    const { text, caret } = step.edited
    step = vimKey(step.state, key, step.edited)
    if (step.effect !== undefined && step.effect !== "pass") effects.push(step.effect)
    if (step.effect !== "pass") continue
    step = { ...step, edited: { text: text.slice(0, caret) + key + text.slice(caret), caret: caret + key.length } }
  }
  return { ...step, ...(effects.length > 0 ? { effect: effects[0] as "older" } : {}) }
}

const FAMILY = "👨‍👩‍👧"
const E_ACUTE = "e\u0301"

type Row = readonly [text: string, keys: string, expected: string]

function table(rows: readonly Row[]): void {
  it.each(rows)("%j with %s is %j", (text, keys, expected) => {
    expect(shown(typed(keys, marked(text)).edited)).toBe(expected)
  })
}

describe("motions", () => {
  table([
    ["a|bc", "h", "|abc"],
    ["|abc", "h", "|abc"],
    ["a|bc", "l", "ab|c"],
    ["ab|c", "l", "ab|c"],
    ["|abcdef", "3l", "abc|def"],
    ["|one two", "w", "one |two"],
    ["|one, two", "w", "one|, two"],
    ["|one, two", "W", "one, |two"],
    ["|one two three", "2w", "one two |three"],
    ["one two| three", "b", "one |two three"],
    ["one, t|wo", "2b", "one|, two"],
    ["one,x t|wo", "2B", "|one,x two"],
    ["|one two", "e", "on|e two"],
    ["on|e two", "e", "one tw|o"],
    ["|one,x two", "E", "one,|x two"],
    ["one\n|two", "b", "|one\ntwo"],
    ["|one\n\ntwo", "w", "one\n|\ntwo"],
    ["  one t|wo", "0", "|  one two"],
    ["  one t|wo", "^", "  |one two"],
    ["|one two", "$", "one tw|o"],
    ["|", "$", "|"],
    ["one\nt|wo\nthree", "gg", "|one\ntwo\nthree"],
    ["o|ne\ntwo\nthree", "G", "one\ntwo\n|three"],
    ["o|ne\ntwo\nthree", "2G", "one\n|two\nthree"],
    ["one\nt|wo", "k", "o|ne\ntwo"],
    ["long|er\nx\nlonger", "jj", "longer\nx\nlong|er"],
    ["lo|nger\nx\nlonger", "$jj", "longer\nx\nlonge|r"],
    ["|one\ntwo\nthree", "2j", "one\ntwo\n|three"],
    ["日|本\nabcd", "j", "日本\nab|cd"],
    ["|a,b,c", "f,", "a|,b,c"],
    ["|a,b,c", "2f,", "a,b|,c"],
    ["|a,b,c", "f,;", "a,b|,c"],
    ["|a,b,c", "f,;,", "a|,b,c"],
    ["a,b,|c", "F,", "a,b|,c"],
    ["|ab,c,d", "t,", "a|b,c,d"],
    ["|ab,c,d", "t,;", "ab,|c,d"],
    ["a,bc|d", "T,", "a,|bcd"],
    ["|abc", "fx", "|abc"],
    ["ab|c", " ", "ab|c"],
  ])
})

describe("operators", () => {
  table([
    ["|one two", "dw", "|two"],
    ["one |two", "dw", "one| "],
    ["one |two\nthree", "dw", "one| \nthree"],
    ["|one two three", "2dw", "|three"],
    ["|one two three", "d2w", "|three"],
    ["|one two three four five", "2d2w", "|five"],
    ["|one two", "de", "| two"],
    ["one two| three", "db", "one | three"],
    ["one t|wo", "d0", "|wo"],
    ["one| two", "D", "on|e"],
    ["one| two", "d$", "on|e"],
    ["|a,b,c", "df,", "|b,c"],
    ["|a,b,c", "dt,", "|,b,c"],
    ["one\nt|wo\nthree", "dd", "one\n|three"],
    ["one\nt|wo", "dd", "|one"],
    ["o|ne", "dd", "|"],
    ["o|ne\ntwo\nthree", "2dd", "|three"],
    ["o|ne\ntwo\nthree", "dj", "|three"],
    ["one\ntwo\nth|ree", "dk", "|one"],
    ["one\ntw|o\nthree", "dG", "|one"],
    ["one\ntw|o\nthree", "dgg", "|three"],
    ["o|ne", "dj", "o|ne"],
    ["|abc", "x", "|bc"],
    ["ab|c", "x", "a|b"],
    ["|abc", "2x", "|c"],
    ["ab|c", "X", "a|c"],
    ["|", "x", "|"],
    ["a|bc", "rX", "a|Xc"],
    ["|abc", "2rX", "X|Xc"],
    ["a|bc", "3rX", "a|bc"],
    ["|abC", "3~", "AB|c"],
    ["o|ne\n  two", "J", "one| two"],
    ["o|ne\ntwo\nthree", "3J", "one two| three"],
    ["|one two", "cwX<esc>", "|X two"],
    ["on|e two", "cwX<esc>", "on|X two"],
    ["|one two three", "c2wX<esc>", "|X three"],
    ["one| two", "CX<esc>", "one|X"],
    ["one\nt|wo\nthree", "ccX<esc>", "one\n|X\nthree"],
    ["a|bc", "sX<esc>", "a|Xc"],
    ["one\nt|wo", "SX<esc>", "one\n|X"],
    ["one t|wo three", "diw", "one | three"],
    ["one t|wo three", "daw", "one |three"],
    ['say "h|i you" now', 'ci"X<esc>', 'say "|X" now'],
    ["f(a, (b|), c)", "di(", "f(a, (|), c)"],
    ["f(a|, (b), c)", "da(", "|f"],
    ["|abc", "dz", "|abc"],
  ])
})

describe("copies", () => {
  table([
    ["|one two", "ywP", "one| one two"],
    ["|one", "yyp", "one\n|one"],
    ["one\nt|wo", "YP", "one\n|two\ntwo"],
    ["|one\ntwo\nthree", "2yyGp", "one\ntwo\nthree\n|one\ntwo"],
    ["|ab", "xp", "b|a"],
    ["|ab", "yl3p", "aaa|ab"],
    ["o|ne\ntwo", "ddp", "two\n|one"],
    ["one t|wo", "yiw$p", "one twotw|o"],
    ["|one", "p", "|one"],
  ])
})

describe("insert mode", () => {
  table([
    ["a|b", "iX<esc>", "a|Xb"],
    ["a|b", "aX<esc>", "ab|X"],
    ["  a|b", "IX<esc>", "  |Xab"],
    ["|ab", "AX<esc>", "ab|X"],
    ["o|ne\ntwo", "oX<esc>", "one\n|X\ntwo"],
    ["o|ne\ntwo", "OX<esc>", "|X\none\ntwo"],
    ["|b", "3iX<esc>", "XX|Xb"],
    ["|a", "2oX<esc>", "a\nX\n|X"],
    ["|one two", "i<esc>", "|one two"],
  ])
})

describe("undo and repeat", () => {
  table([
    ["|one two", "dwu", "|one two"],
    ["|one two", "dwu<c-r>", "|two"],
    ["|one two three", "dwdwuu", "|one two three"],
    ["|one two three", "dwdw2u", "|one two three"],
    ["|one", "cwabc<esc>u", "|one"],
    ["|one two three", "dw.", "|three"],
    ["|one two one two", "cwX<esc>w.w.", "X X |X two"],
    ["|abcdef", "x3.", "|ef"],
    ["|a", "aX<esc>..", "aXX|X"],
    ["|a\nb", "A;<esc>j.", "a;\nb|;"],
    ["|a,b,c,d", "df,;.", "b|d"],
    ["|one", "u", "|one"],
    ["|one two", "dwux<c-r>", "|ne two"],
  ])
})

describe("characters of several code units", () => {
  table([
    [`|${FAMILY}b`, "x", "|b"],
    [`|${FAMILY}b`, "l", `${FAMILY}|b`],
    [`a${FAMILY}|b`, "h", `a|${FAMILY}b`],
    [`|${E_ACUTE}b`, "rx", "|xb"],
    [`a|${E_ACUTE}`, "~", `a|E\u0301`],
    [`|a${FAMILY}b`, `f${FAMILY}`, `a|${FAMILY}b`],
    ["|日本語です。はい", "w", "日本語|です。はい"],
    ["日本語|です。はい", "dw", "日本語|。はい"],
    [`|a${FAMILY}`, "A!<esc>", `a${FAMILY}|!`],
    ["|a [paste #1 +12 lines] b", "wx", "a | b"],
  ])
})

describe("visual modes", () => {
  table([
    ["|one two", "vlld", "| two"],
    ["one t|wo", "vbd", "one |o"],
    ["|one two", "vey$p", "one two|one".replace("|one", "on|e")],
    ["|one two", "vecX<esc>", "|X two"],
    ["o|ne\ntwo\nthree", "Vjd", "|three"],
    ["|one", "v$~", "|ONE"],
    ["o|ne two", "viwd", "| two"],
    ["|abc", "vlrX", "|XXc"],
    ["|one\ntwo", "VjJ", "one| two"],
    ["a|bc", "v<esc>x", "a|c"],
    ["|abcd", "vloh", "|abcd"],
    ["|one two", "vedu", "|one two"],
  ])
})

it("steps through the history from the first and the last line", () => {
  expect(typed("k", marked("o|ne\ntwo")).effect).toBe("older")
  expect(typed("j", marked("one\nt|wo")).effect).toBe("newer")
  expect(typed("j", marked("o|ne\ntwo")).effect).toBeUndefined()
  expect(typed("3k", marked("o|ne\ntwo")).effect).toBeUndefined()
})

it("gives keys of insert mode to the editor, and forgets a begun command at Escape", () => {
  const { state } = typed("i", marked("|one"))
  expect(vimKey(state, "x", marked("|one"))).toMatchObject({ effect: "pass", edited: { text: "one" } })

  const begun = typed("2d", marked("|one two"))
  expect(begun.state.keys).toBe("2d")
  expect(vimKey(begun.state, "escape", begun.edited).state.keys).toBe("")
})

it("never leaves a caret within a character, whatever is typed", () => {
  const keys = "hjklwbeWBE0^$GxXrJ~dcyDCYpPuiaIAoOvV;,ft2 ".split("").concat("<esc>", "<c-r>", FAMILY)
  let seed = 7
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  const text = `日本 ${FAMILY}, ${E_ACUTE}a\n\n  two (three) 한글\n[paste #1 +12 lines].`
  for (let round = 0; round < 300; round++) {
    const typedKeys = Array.from({ length: 12 }, () => keys[random(keys.length)] ?? "").join("")
    const { edited } = typed(`${typedKeys}<esc><esc>`, { text, caret: 0 })
    const bounds = new Set(
      Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(edited.text), (each) => each.index),
    )
    const isWhole = edited.caret === edited.text.length || bounds.has(edited.caret)
    expect([typedKeys, isWhole]).toEqual([typedKeys, true])
  }
})

describe("a large count", () => {
  it.each(["yy9999p", "y$9999p", "yy9999P", "9999A more<esc>"])("is limited for %s", (keys) => {
    const { edited } = typed(keys, marked(`|${"long ".repeat(200)}`))
    expect(edited.text.length).toBeLessThan(202_000)
    expect(edited.text.length).toBeGreaterThan(40_000)
  })

  it("is limited for a long text that was typed", () => {
    const before = marked("|")
    const long = "x".repeat(150_000)
    const begun = vimKey({ ...freshState(before), mode: "normal", insertion: undefined, keys: "9999" }, "i", before)
    const { edited } = vimKey(begun.state, "escape", { text: long, caret: long.length })
    expect(edited.text).toBe(long)
  })
})
