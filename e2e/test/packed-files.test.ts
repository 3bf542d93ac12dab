import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"

const script = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "scripts", "packed-files.mjs")

/** Makes a workspace with one built package that publishes `dist` and `src`, and checks it. */
function check(files: Readonly<Record<string, string>>, manifest: object = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "packed-files-")))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const all = { "dist/index.js": "export {}\n", ...files }
  for (const [path, text] of Object.entries(all)) {
    const file = join(root, "packages/acme", path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll("ROOT", root))
  }
  const written = { name: "@pawl/acme", version: "1.0.0", files: ["dist", "src"], ...manifest }
  writeFileSync(join(root, "packages/acme/package.json"), JSON.stringify(written))
  writeFileSync(join(root, "package.json"), '{ "private": true }')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" })
  return { status, stdout, stderr: stderr.replaceAll(root, "ROOT") }
}

it("accepts sources and what is built of them", () => {
  const { status, stdout, stderr } = check({ "src/index.ts": "export {}\n", "README.md": "# acme\n" })

  expect(stderr).toBe("")
  expect(stdout).toBe("packed: 4 files of 1 packages checked\n")
  expect(status).toBe(0)
})

it.each([
  ["src/index.test.ts", "a test"],
  ["dist/index.test.d.ts", "a test"],
  ["src/test/place.ts", "a folder of tests"],
  ["src/html/fixtures/page.html", "a fixture or a corpus"],
  ["src/corpus/rows.ts", "a fixture or a corpus"],
  ["src/paths-corpus.ts", "a fixture or a corpus"],
  ["src/test-server.ts", "a test server"],
  ["dist/tsconfig.json", "a file of the build"],
  ["dist/metafile-esm.json", "a private or temporary file"],
])("names %s, which is %s", (path, what) => {
  const { status, stderr } = check({ [path]: "" })

  expect(stderr).toBe(`packages/acme/${path}: would be published, and is ${what}\n`)
  expect(status).toBe(1)
})

it("names a file that contains a path of this machine", () => {
  const { status, stderr } = check({ "dist/place.js": 'export const place = "ROOT/packages"\n' })

  expect(stderr).toBe("packages/acme/dist/place.js: would be published, and contains the path ROOT\n")
  expect(status).toBe(1)
})

it("names a package that is not built, and skips one that is not published", () => {
  expect(check({}, { files: ["src"] }).stderr).toBe("packages/acme/dist: is missing. Run `pnpm build`\n")
  expect(check({ "src/corpus.ts": "" }, { private: true }).stderr).toBe("")
})
