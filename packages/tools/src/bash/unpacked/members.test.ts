import { execFileSync } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { testDirectory } from "../../../test/directory.ts"
import type { Member } from "./member.ts"
import { patchTargets } from "./patch-targets.ts"
import { tarMembers } from "./tar-members.ts"
import { zipMembers } from "./zip-members.ts"

const LONG = `${"d".repeat(120)}/${"é".repeat(60)}.txt`
const pathsOf = (members: readonly Member[] | undefined) => members?.map(({ path }) => path)

/** What a script makes of `out`, beside the files `a.txt` and `s/.npmrc`. */
async function made(script: string): Promise<Buffer> {
  const directory = await testDirectory({ "a.txt": "a", "s/.npmrc": "b", [LONG]: "c" })
  execFileSync("sh", ["-c", script], { cwd: directory })
  return await readFile(join(directory, "out"))
}

describe("the members of a tar archive", () => {
  it.each(["ustar", "gnu", "pax", "v7"])("are known in the format %s", async (format) => {
    const long = format === "gnu" || format === "pax" ? ` ${LONG}` : ""
    const archive = await made(`ln -s a.txt l && tar cf out --format=${format} a.txt s l${long}`)

    const members = [
      { path: "a.txt" },
      { path: "s/" },
      { path: "s/.npmrc" },
      { path: "l", isLink: true },
      ...(long === "" ? [] : [{ path: LONG }]),
    ]
    for (const each of [archive, gzipSync(archive), zstdCompressSync(archive)])
      expect(await tarMembers(each)).toEqual(members)
  })

  it("are known behind the end that an option makes tar read over", async () => {
    const archive = await made("tar cf out a.txt; tar cf x s/.npmrc; cat x >> out")

    expect(pathsOf(await tarMembers(archive))).toEqual(["a.txt", "s/.npmrc"])
  })

  it.each<[string, string]>([
    ["a hard link", "ln a.txt b.txt && tar cf out a.txt b.txt"],
    ["a volume of several", "tar cf out -L 1 -M a.txt < /dev/null || true; test -e out || printf x > out"],
    ["a sparse file", "truncate -s 1M big && tar cf out -S --format=pax big"],
    ["another compression", "printf BZh9 > out"],
    ["text", "cp a.txt out"],
    ["nothing", ": > out"],
    ["a broken header", "tar cf out a.txt && printf y | dd of=out bs=1 seek=3 conv=notrunc 2> /dev/null"],
  ])("are unknown for %s", async (_what, script) => {
    expect(await tarMembers(await made(script))).toBeUndefined()
  })

  it("are unknown if it is larger than what is looked at", async () => {
    expect(await tarMembers(gzipSync(Buffer.alloc(65 * 1024 * 1024)))).toBeUndefined()
  })
})

describe.skipIf(!isThere("zip"))("the members of a zip archive", () => {
  it("are known", async () => {
    const archive = await made("ln -s a.txt l && zip -qry out.zip a.txt s l && mv out.zip out")

    expect(zipMembers(archive)).toEqual([
      { path: "a.txt" },
      { path: "s/" },
      { path: "s/.npmrc" },
      { path: "l", isLink: true },
    ])
  })

  it("are known behind a comment", async () => {
    const archive = await made("zip -qr out.zip a.txt && echo words | zip -qz out.zip && mv out.zip out")

    expect(pathsOf(zipMembers(archive))).toEqual(["a.txt"])
  })

  it.each<[string, string]>([
    ["text in front of it", "zip -qr x.zip a.txt && (echo words; cat x.zip) > out"],
    ["text behind it", "zip -qr x.zip a.txt && (cat x.zip; echo words) > out"],
    ["a part of it", "zip -qr x.zip a.txt && tail -c 60 x.zip > out"],
    ["nothing", ": > out"],
  ])("are unknown with %s", async (_what, script) => {
    expect(zipMembers(await made(script))).toBeUndefined()
  })
})

describe("the files of a patch", () => {
  it.each<[string, string, string[]]>([
    ["a new file", "--- /dev/null\n+++ b/.envrc\n@@ -0,0 +1 @@\n+a\n", [".envrc"]],
    ["times", "--- a/x y.txt\t2020-01-01 00:00:00\n+++ a/x y.txt 2020-01-01 00:00:00\n", ["x y.txt"]],
    ["an empty file", "diff --git a/x y b/x y\nnew file mode 100644\n", ["x y"]],
    ["a new name", "diff --git a/a b/.envrc\nrename from a\nrename to .envrc\n", ["a", ".envrc"]],
    ["a name in quotation marks", '--- /dev/null\n+++ "b/\\056env\\303\\251"\n', [".envé"]],
    ["context", "*** a/x\t2020\n--- a/y\t2020\n***************\n*** 1,2 ****\n--- 1,2 ----\n", ["x", "y"]],
    ["an index", "Index: a/x\n=====\n", ["x"]],
    ["the end of a line as on Windows", "--- a/x\r\n+++ b/x\r\n", ["x"]],
    ["text alone", "words\n- a\n+ b\n", []],
  ])("are known with %s", (_what, patch, paths) => {
    const found = pathsOf(patchTargets(patch, 1))
    expect(found).toEqual(paths.length === 0 ? [] : expect.arrayContaining(paths))
  })

  it("are those with any number of names left out, if the number is not told", () => {
    expect(pathsOf(patchTargets("--- /dev/null\n+++ b/s/.envrc\n", undefined))).toEqual([
      "b/s/.envrc",
      "s/.envrc",
      ".envrc",
    ])
    expect(pathsOf(patchTargets("--- /dev/null\n+++ b/s/.envrc\n", 2))).toEqual([".envrc"])
    expect(pathsOf(patchTargets("--- /dev/null\n+++ b/s/.envrc\n", 3))).toEqual([])
  })

  it.each<[string, string]>([
    ["a mail in another encoding", "Content-Transfer-Encoding: base64\n\nLS0tIC9kZXYvbnVsbAo=\n"],
    ["a script of ed", "1a\nx\n.\nw .envrc\n"],
  ])("are unknown for %s", (_what, patch) => {
    expect(patchTargets(patch, 1)).toBeUndefined()
  })
})

function isThere(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
