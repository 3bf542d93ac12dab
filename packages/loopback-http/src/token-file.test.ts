import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createToken, readToken } from "./token-file.ts"

async function createPlace() {
  const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-token-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return { directory, path: join(directory, "data", "token") }
}

it("is made once, of 32 random bytes, for its owner alone", async () => {
  const { directory, path } = await createPlace()
  const all = await Promise.all([1, 2, 3].map(() => readToken(path)))
  const token = all[0]?.token ?? ""
  expect(Buffer.from(token, "base64url")).toHaveLength(32)
  expect(all.map((each) => each.token)).toEqual([token, token, token])
  expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await readFile(path, "utf8")).toBe(`${token}\n`)
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(directory, "data"))).toEqual(["token"])
})

it("does not begin with a dash", () => {
  const random = [0xf8, 0xfb, 0x07].map((byte) => Buffer.alloc(32, byte))
  const [first, , third] = random

  expect(first?.toString("base64url")).toMatch(/^-/)
  expect(createToken(() => random.shift() ?? Buffer.alloc(0))).toBe(third?.toString("base64url"))
})

it("is made anew where it was cut off", async () => {
  const { path } = await createPlace()
  const { token } = await readToken(path)
  await writeFile(path, token.slice(0, 20))
  expect((await readToken(path)).isNew).toBe(true)
})

it.skipIf(process.platform === "win32")("is made anew where others could have read it", async () => {
  const { path } = await createPlace()
  const { token } = await readToken(path)
  await chmod(path, 0o644)
  const again = await readToken(path)
  expect(again.isNew).toBe(true)
  expect(again.token).not.toBe(token)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
