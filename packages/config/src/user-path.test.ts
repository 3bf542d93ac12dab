import { describe, expect, it } from "vitest"
import { displayPath, resolveUserPath } from "./user-path.ts"

describe("resolveUserPath", () => {
  it.each([
    ["key.txt", "/srv/key.txt"],
    ["../key.txt", "/key.txt"],
    ["/etc/key.txt", "/etc/key.txt"],
    ["~/key.txt", "/home/ada/key.txt"],
    ["~", "/home/ada"],
    ["~other", "/srv/~other"],
  ])("resolves %s to %s", (written, resolved) => {
    expect(resolveUserPath(written, { base: "/srv", home: "/home/ada" })).toBe(resolved)
  })

  it("needs a home only for what begins with it", () => {
    expect(resolveUserPath("~/key.txt", { base: "/srv", home: undefined })).toBeUndefined()
    expect(resolveUserPath("key.txt", { base: "/srv", home: undefined })).toBe("/srv/key.txt")
  })
})

describe("displayPath", () => {
  const places = { directory: "/home/ada/project", home: "/home/ada" }

  it.each([
    ["/home/ada/project/pawl.jsonc", "pawl.jsonc"],
    ["/home/ada/project/sub/pawl.jsonc", "sub/pawl.jsonc"],
    ["/home/ada/project/..odd/pawl.jsonc", "..odd/pawl.jsonc"],
    ["/home/ada/.config/pawl/pawl.jsonc", "~/.config/pawl/pawl.jsonc"],
    ["/etc/pawl.jsonc", "/etc/pawl.jsonc"],
  ])("shows %s as %s", (file, shown) => {
    expect(displayPath(file, places)).toBe(shown)
  })

  it("shows the whole path without a home", () => {
    expect(displayPath("/home/ada/x.json", { directory: "/srv", home: undefined })).toBe("/home/ada/x.json")
  })
})
