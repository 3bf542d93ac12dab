import { rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testPlace } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { createToolPaths } from "./tool-paths.ts"

it("needs only the tool's own permission inside of the worktree", async () => {
  const worktree = await testDirectory({ "src/a.ts": "" })
  const needs = await createToolPaths().needs({}, "src/a.ts", testPlace(worktree), "read")
  expect(needs).toMatchObject([{ permission: "read", patterns: ["src/a.ts"] }])
})

it("judges a path outside first, by its directory", async () => {
  const worktree = await testDirectory()
  const outside = await testDirectory({ "a.txt": "" })
  const file = await createToolPaths().needs({}, join(outside, "a.txt"), testPlace(worktree), "edit")
  expect(file).toMatchObject([{ permission: "external_directory", patterns: [`${outside}/*`] }, { permission: "edit" }])
  const directory = await createToolPaths().needs({}, outside, testPlace(worktree))
  expect(directory).toMatchObject([{ permission: "external_directory", patterns: [`${outside}/*`] }])
})

it("does not take a link inside for inside", async () => {
  const worktree = await testDirectory()
  const outside = await testDirectory({ "secret.txt": "" })
  await symlink(outside, join(worktree, "link"))
  const existing = await createToolPaths().needs({}, "link/secret.txt", testPlace(worktree))
  expect(existing).toMatchObject([{ permission: "external_directory", patterns: [`${outside}/*`] }])
  const missing = await createToolPaths().needs({}, "link/new.txt", testPlace(worktree))
  expect(missing).toMatchObject([{ permission: "external_directory", patterns: [`${outside}/*`] }])
})

it("takes the directory as well as the worktree for inside", async () => {
  const [worktree, directory] = [await testDirectory(), await testDirectory({ "a.txt": "" })]
  const needs = await createToolPaths().needs({}, "a.txt", { worktree, directory }, "read")
  expect(needs.map((need) => need.permission)).toEqual(["read"])
})

it("shows rules both names of a linked file", async () => {
  const worktree = await testDirectory({ ".env": "" })
  await symlink(".env", join(worktree, "notes.txt"))
  const needs = await createToolPaths().needs({}, "notes.txt", testPlace(worktree), "read")
  expect(needs).toMatchObject([{ permission: "read", patterns: ["notes.txt", ".env"] }])
})

it("lets trusted directories pass", async () => {
  const [worktree, outputs] = [await testDirectory(), await testDirectory({ "tool_1.txt": "" })]
  const paths = createToolPaths({ trusted: [outputs] })
  expect(await paths.needs({}, join(outputs, "tool_1.txt"), testPlace(worktree))).toEqual([])
})

it("refuses a path that was turned elsewhere after it was judged", async () => {
  const worktree = await testDirectory({ "harmless.txt": "" })
  const outside = await testDirectory({ "secret.txt": "" })
  const paths = createToolPaths()
  const call = {}
  await symlink("harmless.txt", join(worktree, "link"))
  await paths.needs(call, "link", testPlace(worktree), "read")
  await expect(paths.use(call, "link", testPlace(worktree))).resolves.toMatchObject({ title: "link" })

  await rm(join(worktree, "link"))
  await symlink(join(outside, "secret.txt"), join(worktree, "link"))
  await expect(paths.use(call, "link", testPlace(worktree))).rejects.toThrow("when it was allowed")
})

it("judges several paths of one call, each for itself", async () => {
  const worktree = await testDirectory({ "a.txt": "", "b.txt": "", "c.txt": "" })
  const paths = createToolPaths()
  const call = {}
  await symlink("a.txt", join(worktree, "link"))
  for (const path of ["link", "b.txt"]) await paths.needs(call, path, testPlace(worktree), "edit")
  await rm(join(worktree, "link"))
  await symlink("c.txt", join(worktree, "link"))
  await expect(paths.use(call, "b.txt", testPlace(worktree))).resolves.toMatchObject({ title: "b.txt" })
  await expect(paths.use(call, "link", testPlace(worktree))).rejects.toThrow("when it was allowed")
})

it("shows no line ends of a name in an error", async () => {
  const worktree = await testDirectory({ "a.txt": "" })
  const paths = createToolPaths()
  const call = {}
  await paths.needs(call, "new\nline", testPlace(worktree), "edit")
  await symlink("a.txt", join(worktree, "new\nline"))
  await expect(paths.use(call, "new\nline", testPlace(worktree))).rejects.toThrow(/^[^\n]*new\\nline led to[^\n]*$/)
})

it("asks to read a file by the usual name of its secrets, too", async () => {
  const worktree = await testDirectory({ "sub/.NPMRC": "x", "Tls/Server.PEM": "x", "a.txt": "x" })
  const patterns = async (path: string) => {
    return (await createToolPaths().needs({}, path, testPlace(worktree), "read")).flatMap((need) => need.patterns)
  }

  expect(await patterns("sub/.NPMRC")).toEqual(["sub/.NPMRC", "sub/.npmrc"])
  expect(await patterns("Tls/Server.PEM")).toEqual(["Tls/Server.PEM", "Tls/Server.pem"])
  expect(await patterns("a.txt")).toEqual(["a.txt"])
})
