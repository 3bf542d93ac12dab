import { expect, it } from "vitest"
import { mountArguments } from "./mounts.ts"

it("mounts what is outside before what is inside of it, so that the inner place counts", () => {
  const args = mountArguments([
    { type: "read-only", path: "/home/me/.config/pawl/project/.git/hooks" },
    { type: "writable", path: "/home/me/.config/pawl/project" },
    { type: "empty-directory", path: "/home/me/.config/pawl" },
    { type: "empty-file", path: "/home/me/.netrc" },
  ])
  expect(args.join(" ")).toBe(
    "--ro-bind / / --dev /dev --proc /proc --remount-ro /proc " +
      "--ro-bind /dev/null /home/me/.netrc " +
      "--tmpfs /home/me/.config/pawl " +
      "--bind /home/me/.config/pawl/project /home/me/.config/pawl/project " +
      "--ro-bind /home/me/.config/pawl/project/.git/hooks /home/me/.config/pawl/project/.git/hooks " +
      "--remount-ro /home/me/.config/pawl",
  )
})

it("takes the last of two mounts of one path", () => {
  const args = mountArguments([
    { type: "writable", path: "/tmp", from: "/tmp/own" },
    { type: "writable", path: "/tmp" },
  ])
  expect(args.slice(9)).toEqual(["--bind", "/tmp", "/tmp"])
})
