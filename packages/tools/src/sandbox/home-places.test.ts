import { chmod, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { bwrapOptions } from "../../test/sandboxed.ts"
import { bwrapSandbox } from "./bwrap.ts"

/** A sandbox of a program that does nothing: what is looked at are its arguments. */
async function fakeSandbox(home: string) {
  const path = await testDirectory({ bwrap: "#!/bin/sh\n" })
  await chmod(join(path, "bwrap"), 0o755)
  const sandbox = await bwrapSandbox({ ...bwrapOptions, home, path, platform: "linux" })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** How a path is mounted, the last that counts. */
function mountOf(args: readonly string[], path: string): string | undefined {
  const at = args.lastIndexOf(path)
  if (args[at - 1] === "--remount-ro") return mountOf(args.slice(0, at - 1), path)
  if (args[at - 1] === "--tmpfs") return "empty directory"
  return args[at - 1] === "/dev/null" ? "empty file" : args[at - 2]
}

it("hides in a project that is the home directory what is hidden there", async () => {
  const home = await testDirectory({
    ...{ ".ssh/id": "", ".bashrc": "", ".claude/settings.json": "", ".config/deep/app/a.toml": "", ".git/HEAD": "" },
    ...{ ".git/config": "", "dotfiles/vimrc": "", "notes.txt": "" },
  })
  const elsewhere = await testDirectory({ key: "" })
  await symlink("dotfiles/vimrc", join(home, ".vimrc"))
  await symlink(join(elsewhere, "key"), join(home, ".key"))
  const sandbox = await fakeSandbox(home)
  const place = { directory: join(home, ".config/deep/app"), worktree: home, cwd: home }
  const args = await sandbox.wrap(["true"], place)
  const mounts = [
    ".ssh",
    ".bashrc",
    ".claude",
    ".config",
    ".config/deep",
    ".config/deep/app",
    ".git",
    ".git/config",
    "dotfiles/vimrc",
  ]
  expect(Object.fromEntries(mounts.map((name) => [name, mountOf(args, join(home, name))]))).toEqual({
    ...{ ".ssh": "empty directory", ".bashrc": "empty file", ".claude": "empty directory" },
    ...{
      ".config": "empty directory",
      ".config/deep": undefined,
      ".config/deep/app": "--bind",
      ".git": "--bind",
      ".git/config": "--ro-bind",
    },
    "dotfiles/vimrc": undefined,
  })
  expect(mountOf(args, join(elsewhere, "key"))).toBe("empty file")
})

it("gives another name to what a command leaves there that would start with the user's shells", async () => {
  const home = await testDirectory({ ".bashrc": "" })
  const sandbox = await fakeSandbox(home)
  const settle = await sandbox.watch({ directory: home, worktree: home, cwd: home })
  await writeFile(join(home, ".profile"), "evil")
  await mkdir(join(home, ".config/fish"), { recursive: true })
  expect((await settle()).map(({ path }) => path)).toEqual([join(home, ".profile"), join(home, ".config")])
})

it("lets commands write nothing where the root of the file system would be the project", async () => {
  const sandbox = await fakeSandbox(await testDirectory())
  const args = await sandbox.wrap(["true"], { directory: "/", worktree: "/", cwd: "/" })
  const roots = args.flatMap((each, at) => (each === "/" && args[at - 1] === "/" ? [args[at - 2]] : []))
  expect(roots).toEqual(["--ro-bind"])
  const settle = await sandbox.watch({ directory: "/", worktree: "/", cwd: "/" })
  expect(await settle()).toEqual([])
})
