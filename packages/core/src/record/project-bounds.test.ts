import { expect, it } from "vitest"
import { hiddenLevels, isFileSystemRoot, isInProject } from "./project-bounds.ts"

const home = "/home/me"

it.each<[boolean, string, readonly string[]]>([
  [true, "/srv/app", ["/srv/app"]],
  [true, "/srv/app/.npmrc", ["/srv/app"]],
  [true, "/srv/app/..a", ["/srv/app"]],
  [false, "/srv/app2/a", ["/srv/app"]],
  [false, "/srv", ["/srv/app"]],
  [false, "/", ["/"]],
  [false, "/etc/passwd", ["/"]],
  [true, "/srv/app/a", ["/", "/srv/app"]],
  [true, "/home/me", [home]],
  [true, "/home/me/notes.txt", [home]],
  [true, "/home/me/code/app/.env", [home]],
  [false, "/home/me/.bashrc", [home]],
  [false, "/home/me/.ssh/id", [home]],
  [false, "/home/me/.local/share/x", [home]],
  [true, "/home/me/.config/nvim/init.lua", [home, "/home/me/.config/nvim"]],
  [false, "/home/me/.config/gh/hosts.yml", [home, "/home/me/.config/nvim"]],
  [true, "/home/me/work", ["/home"]],
  [false, "/home/me/.ssh/id", ["/home"]],
  [false, "/home/you/.ssh/id", ["/home"]],
  [false, "/home/.snapshots", ["/home"]],
  [true, "/home/me/code/.github/a.yml", ["/home"]],
])("%s: %s is in %j", (expected, path, roots) => {
  expect(isInProject(path, { roots, home })).toBe(expected)
})

it("counts the levels on which hidden names lie outside", () => {
  expect([home, "/home", "/", "/srv", "/home/me/work"].map((root) => hiddenLevels(root, home))).toEqual([1, 2, 0, 0, 0])
})

it("knows the root of a file system", () => {
  expect(["/", "/a", "/a/b"].map(isFileSystemRoot)).toEqual([true, false, false])
})
