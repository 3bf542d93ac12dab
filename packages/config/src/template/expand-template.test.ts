import { describe, expect, it } from "vitest"
import { expandTemplate, type TemplatePiece } from "./expand-template.ts"

const text = (written: string): TemplatePiece => ({ type: "text", text: written })
const shell = (command: string): TemplatePiece => ({ type: "shell", command })
const file = (path: string): TemplatePiece => ({ type: "file", path, text: `@${path}` })

describe("arguments", () => {
  it.each([
    { template: "Fix $1 in $2.", given: "it here", filled: "Fix it in here." },
    { template: "Fix $1: $2", given: "it as soon as possible", filled: "Fix it: as soon as possible" },
    { template: "$2 and $1 and $2", given: "a b c", filled: "b c and a and b c" },
    { template: "Fix $1 in $2.", given: "it", filled: "Fix it in ." },
    { template: "$10 and $1", given: "1 2 3 4 5 6 7 8 9 10 11", filled: "10 11 and 1" },
    { template: "All: $ARGUMENTS", given: `  a  "b c"  `, filled: `All: a  "b c"` },
    { template: "$ARGUMENTS, $1", given: "a b", filled: "a b, a b" },
    { template: "Fix it.", given: "now", filled: "Fix it.\n\nnow" },
    { template: "Fix it.", given: "  ", filled: "Fix it." },
    { template: "", given: "now", filled: "now" },
    { template: "$0 $x $ $ARGUMENT", given: "now", filled: "$0 $x $ $ARGUMENT\n\nnow" },
    { template: "$1", given: "$2 $1 $&", filled: "$2 $1 $&" },
  ])("$template with $given", ({ template, given, filled }) => {
    expect(expandTemplate(template, given)).toEqual([text(filled)])
  })

  it("are text, whatever they look like", () => {
    const given = "!`touch hit` @secret $(touch hit)"
    for (const template of ["Do it.", "$ARGUMENTS", "$1 $2"]) {
      expect(expandTemplate(template, given).map(({ type }) => type)).toEqual(["text"])
    }
    expect(expandTemplate("!$1 and `$2`", "`hit` @secret")).toEqual([text("!`hit` and `@secret`")])
  })
})

describe("files", () => {
  it.each([
    { template: "@a.ts", pieces: [file("a.ts")] },
    { template: "See @src/a.test.ts, please.", pieces: [text("See "), file("src/a.test.ts"), text(", please.")] },
    { template: "(@a/b.md): @~/x @../y.", pieces: ["(", "a/b.md", "): ", "~/x", " ", "../y", "."] },
    { template: "@app/[id]/(all)/p.tsx!", pieces: [file("app/[id]/(all)/p.tsx"), text("!")] },
    { template: "ask @review", pieces: [text("ask "), file("review")] },
    { template: "@src/$1.ts", pieces: [file("src/a b.ts")] },
  ])("$template", ({ template, pieces }) => {
    const expected = pieces.map((piece, index) => {
      if (typeof piece !== "string") return piece
      return index % 2 === 0 ? text(piece) : file(piece)
    })
    expect(expandTemplate(template, template.includes("$1") ? '"a b"' : "")).toEqual(expected)
  })

  it.each(["ann@example.org", "`@code`", "@", "a @ b", "@, @! @@", "@$1"])("are not in %s", (template) => {
    expect(expandTemplate(template, "").map(({ type }) => type)).toEqual(["text"])
  })
})

describe("commands", () => {
  it("are found with what stands around them, in lines of any number", () => {
    expect(expandTemplate("Diff: !`git diff`\n!`a |\n b`.", "")).toEqual([
      ...[text("Diff: "), shell("git diff"), text("\n"), shell("a |\n b"), text(".")],
    ])
  })

  it("hold no files, and need both ends", () => {
    expect(expandTemplate("!`cat @a`", "")).toEqual([shell("cat @a")])
    expect(expandTemplate("`ls` !`` !`open", "")).toEqual([text("`ls` !`` !`open")])
  })

  it("get arguments in quotes, and count as their place", () => {
    expect(expandTemplate("!`git log $1`", "a;b c")).toEqual([shell("git log 'a;b' 'c'")])
    expect(expandTemplate("$1 !`ls $2`", "a 'b c' d")).toEqual([text("a "), shell("ls 'b c' 'd'")])
    expect(expandTemplate("!`ls $ARGUMENTS`", `"a b" c`)).toEqual([shell("ls 'a b' 'c'")])
    expect(expandTemplate("!`ls $1`", "")).toEqual([shell("ls ")])
  })
})

it("takes no longer for what is long", () => {
  const long = 100_000
  expect(expandTemplate(`@${")".repeat(long)}`, "")).toEqual([text(`@${")".repeat(long)}`)])
  expect(expandTemplate(`!\`${'$1 "" ( '.repeat(long / 10)}\``, "a")).toHaveLength(1)
  expect(expandTemplate("$1", "'x ".repeat(long))).toHaveLength(1)
})
