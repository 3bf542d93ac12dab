import { mkdir, symlink } from "node:fs/promises"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { testFiles } from "../../test/files.ts"
import { discoverPlugins } from "./discover.ts"
import { engineMismatch } from "./engines.ts"
import { fileEntry, installedEntry } from "./entry.ts"
import { lastOfEach, parseSpec } from "./plugin-spec.ts"

const parse = (spec: string) => parseSpec({ spec, source: { directory: "/etc/app" } })

describe("a spec", () => {
  it.each([
    ["acme", "acme"],
    ["acme@1.2.3", "acme"],
    ["@scope/acme@^1 || 2", "@scope/acme"],
    ["other@npm:acme@1", "other"],
    ["github:acme/plugin", "github:acme/plugin"],
    ["git+https://example.com/a.git#v1", "git+https://example.com/a.git#v1"],
  ])("%s is for npm, and is %s whatever its version", (spec, identity) => {
    expect(parse(spec)).toEqual({ kind: "npm", identity })
  })

  it.each([
    ["./a.ts", "/etc/app/a.ts"],
    ["../b", "/etc/b"],
    ["/srv/c.js", "/srv/c.js"],
    ["file:///srv/d%20e.js", "/srv/d e.js"],
    ["file:./f.ts", "/etc/app/f.ts"],
  ])("%s is the file %s, from the directory of what names it", (spec, path) => {
    expect(parse(spec)).toEqual({ kind: "file", identity: pathToFileURL(path).href, path })
  })

  it.each(["", " acme", "--global", "a\nb"])("%j is none", (spec) => {
    expect(() => parse(spec)).toThrow("is not a plugin. Name a package, a path or a file: URL.")
  })

  it("counts where it comes last, and the others keep their order", () => {
    const specs = ["a@1", "b", "./x.ts", "a@2", "file:///etc/app/x.ts"]
    expect(lastOfEach(specs, (spec) => parse(spec).identity)).toEqual(["b", "a@2", "file:///etc/app/x.ts"])
  })
})

it("finds files of plugins in the same order everywhere, through links, and nothing else", async () => {
  const files = await testFiles({
    ...{
      "one/plugins/b.ts": "",
      "one/plugin/z.js": "",
      "one/plugin/B.ts": "",
      "one/plugin/.a.ts": "",
      "one/plugin/types.d.ts": "",
    },
    ...{ "one/plugin/notes.md": "", "one/plugin/deep/c.ts": "", "two/plugin/a.ts": "", "elsewhere.ts": "" },
  })
  await symlink(files.path("elsewhere.ts"), files.path("two/plugin/link.ts"))
  await symlink(files.path("nowhere.ts"), files.path("two/plugin/dead.ts"))
  await mkdir(files.path("two/plugin/directory.ts"))

  const found = await discoverPlugins([files.path("two"), files.path("one"), files.path("three")])

  expect(found.map(({ spec }) => spec.slice(files.root.length + 1))).toEqual([
    ...["two/plugin/a.ts", "two/plugin/link.ts"],
    ...["one/plugin/.a.ts", "one/plugin/B.ts", "one/plugin/z.js", "one/plugins/b.ts"],
  ])
})

describe("a plugin's entry", () => {
  const all = { "server.js": "", "main.js": "", "dot.js": "", "index.ts": "", "lib/index.js": "" }
  it.each([
    [{ exports: { "./server": { import: "./server.js" }, ".": "./dot.js" }, main: "main.js" }, "server.js"],
    [{ exports: { "./server": { types: "./x.d.ts", default: "./server.js" } } }, "server.js"],
    [{ exports: { ".": "./dot.js" }, main: "./main.js" }, "main.js"],
    [{ exports: { ".": "./dot.js" }, main: "./main.js", peerDependencies: { "@pawl/plugin": "*" } }, "dot.js"],
    [{ exports: { ".": { bun: "./x.ts", import: { types: "./x.d.ts", default: "./dot.js" } } } }, "dot.js"],
    [{ exports: "./dot.js" }, "dot.js"],
    [{ main: "main" }, "main.js"],
    [{ main: "lib" }, "lib/index.js"],
    [{}, "index.ts"],
  ])("of %j is %s", async (manifest, entry) => {
    const files = await testFiles({ ...all, "package.json": JSON.stringify(manifest) })

    expect((await installedEntry(files.root)).entry).toBe(files.path(entry))
    expect((await fileEntry(files.root)).entry).toBe(files.path(entry))
  })

  it.each([
    [{ main: "../outside.js" }, "names ../outside.js, which lies outside of the package."],
    [{ main: "/etc/passwd" }, "lies outside of the package."],
    [{ main: "link.js" }, "lies outside of the package."],
    [{ main: "none.js" }, "names none.js, which is not there."],
    [{ exports: { "./tui": "./main.js" } }, "names no file to load, so it is not a plugin."],
  ])("must be there, and inside: not %j", async (manifest, message) => {
    const files = await testFiles({
      "package/package.json": JSON.stringify(manifest),
      "outside.js": "",
      "package/index.js": "",
    })
    await symlink(files.path("outside.js"), files.path("package/link.js"))

    await expect(installedEntry(files.path("package"))).rejects.toThrow(message)
  })

  it("of a directory may be an index file; an empty one and a missing path are told", async () => {
    const files = await testFiles({ "a/index.mjs": "", "b/x.ts": "" })

    expect(await fileEntry(files.path("a"))).toEqual({ entry: files.path("a/index.mjs"), directory: files.path("a") })
    await expect(fileEntry(files.path("b"))).rejects.toThrow("has no package.json that names a file, and no index file")
    await expect(fileEntry(files.path("c"))).rejects.toThrow(`There is no ${files.path("c")}. Correct the path`)
  })
})

it("says which engine a package needs that is not here", async () => {
  const offered = { node: "24.1.0", opencode: "1.18.33" }
  expect(
    await engineMismatch({ node: ">=22", opencode: "^1.0.0", bun: ">=1", vscode: "nonsense" }, offered),
  ).toBeUndefined()
  expect(await engineMismatch({ opencode: ">=2" }, offered)).toBe(
    "It needs opencode >=2; here is 1.18.33. Choose another version of it.",
  )
})
