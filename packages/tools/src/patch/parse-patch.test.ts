import { describe, expect, it } from "vitest"
import { parsePatch } from "./parse-patch.ts"

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

describe("parsePatch", () => {
  it("reads files that are added, deleted, changed and moved, with the lines where they stand", () => {
    const text = patch(
      "*** Add File: a b.txt",
      "+one",
      "+",
      "",
      "*** Delete File: -rf",
      "*** Update File: src/c.ts",
      "*** Move to: src/$(d).ts",
      "@@ class C {",
      "@@   m() {",
      "   kept",
      "-old",
      "+new",
      "",
      "+*** End Patch",
      "*** End of File",
    )
    expect(parsePatch(text)).toEqual([
      { type: "add", path: "a b.txt", line: 2, content: "one\n\n" },
      { type: "delete", path: "-rf", line: 6 },
      {
        type: "update",
        path: "src/c.ts",
        line: 7,
        moveTo: { path: "src/$(d).ts" },
        hunks: [
          {
            line: 9,
            headers: ["class C {", "  m() {"],
            lines: [
              { sign: " ", text: "  kept" },
              { sign: "-", text: "old" },
              { sign: "+", text: "new" },
              { sign: " ", text: "" },
              { sign: "+", text: "*** End Patch" },
            ],
            isAtEnd: true,
          },
        ],
      },
    ])
  })

  it.each([
    ["a shell's document around it", `apply_patch <<'EOF'\n${patch("*** Delete File: a")}\nEOF`],
    ["a fence around it", `\n\`\`\`diff\n${patch("*** Delete File: a")}\n\`\`\``],
    ["white space behind a name", patch("*** Delete File:  a \t")],
    ["carriage returns", patch("*** Delete File: a").replaceAll("\n", "\r\n")],
  ])("passes over %s", (_, text) => {
    expect(parsePatch(text)).toMatchObject([{ type: "delete", path: "a" }])
  })

  it("passes over what diffs have besides: the end of a header, and that a newline is missing", () => {
    const none = "\\ No newline at end of file"
    const [update, add] = parsePatch(
      patch("*** Update File: a", "@@ def f(): @@", "-x", none, "+y", none, "*** Add File: b", "+x", none),
    )
    expect(update).toMatchObject({ hunks: [{ headers: ["def f():"], lines: [{ text: "x" }, { text: "y" }] }] })
    expect(add).toMatchObject({ content: "x\n" })
  })

  it("goes by a hunk's lines, not by line numbers, and takes no empty line at its end for a part of it", () => {
    const [change] = parsePatch(patch("*** Update File: a", "@@ -1,2 +1,2 @@ main", "-x", "+y", "", "@@", "-z", ""))
    expect(change).toMatchObject({
      hunks: [
        { headers: [], lines: [{}, {}] },
        { headers: [], lines: [{}] },
      ],
    })
  })

  it.each([
    ["nothing", "", 'has to begin with the line "*** Begin Patch"'],
    ["words before it", `Here it is:\n${patch("*** Delete File: a")}`, "has to begin with"],
    ["what was cut", "*** Begin Patch\n*** Add File: a\n+x", "it may have been cut"],
    [
      "a second patch",
      `${patch("*** Delete File: a")}\n${patch("*** Delete File: b")}`,
      'Line 4 of the patch is "*** Begin Patch": the patch has ended above.',
    ],
    ["half a character", patch("*** Add File: a", "+\ud83d"), "half a character"],
    ["what changes nothing", patch(), "The patch changes no file"],
    ["lines of no file", patch("+x"), 'Line 2 of the patch is "+x": expected "*** Add File'],
    ["a file without a name", patch("*** Add File:  "), "Line 2 of the patch"],
    [
      "a new file's line without its sign",
      patch("*** Add File: a", "+x", "y"),
      'Line 4 of the patch is "y": every line',
    ],
    ["an empty line in a new file", patch("*** Add File: a", "+x", "", "+y"), 'Line 4 of the patch is "": every line'],
    ["a hunk's line without its sign", patch("*** Update File: a", "@@", "x"), 'Line 4 of the patch is "x": a line'],
    ["a file that nothing changes", patch("*** Update File: a"), "no change of the file follows"],
    ["a hunk of nothing", patch("*** Update File: a", "@@", ""), "no change of the file follows"],
    ["an end above all lines", patch("*** Update File: a", "*** End of File"), "no lines of a hunk stand above it"],
    ["an unknown marker", patch("*** Update File: a", "-x", "*** Rename: b"), 'Line 4 of the patch is "*** Rename: b"'],
    ["a name that forges lines", patch("\u001B[2J\u0007"), 'is "\\u001b[2J\\u0007":'],
  ])("refuses %s", (_, text, message) => {
    expect(() => parsePatch(text)).toThrow(message)
  })
})
