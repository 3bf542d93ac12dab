import { expect, it } from "vitest"
import { crashStates } from "./crash-points.ts"
import type { Loss } from "./disk.ts"
import type { SystemCall } from "./system-call.ts"

const hex = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`

/** Writes a new file under another name, makes it durable, gives it its name, and says so. */
const trace = [
  `7 openat(AT_FDCWD, ${hex("/d/a.tmp")}, O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0600) = 5`,
  `7 write(5, ${hex("whole")}, 5) = 5`,
  `8 fsync(5 <unfinished ...>`,
  `7 openat(AT_FDCWD, ${hex("/elsewhere")}, O_RDONLY) = 6`,
  `8 <... fsync resumed>) = 0`,
  `7 rename(${hex("/d/a.tmp")}, ${hex("/d/a")}) = 0`,
  `7 openat(AT_FDCWD, ${hex("/d")}, O_RDONLY|O_CLOEXEC) = 9`,
  `7 fsync(9) = 0`,
  `7 writev(3, [{iov_base=${hex('{"begin":1,"operation":{"type":"blob","id":"x"}}')}, iov_len=48}, {iov_base=${hex("\n")}, iov_len=1}], 2) = 49`,
  `7 unlink(${hex("/d/a")}) = 0`,
].join("\n")

function states(loss: Loss, without?: (call: SystemCall) => boolean): string[] {
  const options = { directory: "/d", step: 1, ...(without ? { without } : {}) }
  return [...crashStates(trace, options)]
    .filter(({ loss: { content, entries } }) => content === loss.content && entries === loss.entries)
    .map(({ files }) => [...files].map(([path, content]) => `${path}=${content?.toString() ?? "directory"}`).join(" "))
}

it("leaves every prefix as it was when nothing is lost", () => {
  expect(states({ content: "kept", entries: "kept" })).toEqual([
    "a.tmp=",
    "a.tmp=whole",
    "a.tmp=whole",
    "a=whole",
    "a=whole",
    "",
  ])
})

it("takes back what was not synced, content and entries", () => {
  expect(states({ content: "lost", entries: "lost" })).toEqual(["", "", "", "", "a=whole", "a=whole"])
})

it("leaves half of a write that was not synced", () => {
  expect(states({ content: "half", entries: "kept" })[1]).toBe("a.tmp=wh")
})

it("leaves an empty file under its final name when the program does not sync it", () => {
  const isSync = ({ name, args }: SystemCall) => name === "fsync" && args[0] === "5"
  expect(states({ content: "lost", entries: "kept" }, isSync)).toContain("a=")
  expect(states({ content: "lost", entries: "kept" })).not.toContain("a=")
})

it("knows what had been asked for at each point", () => {
  const counts = [...crashStates(trace, { directory: "/d", step: 1 })].map(({ attempts }) => attempts.length)
  expect([counts.at(0), counts.at(-1)]).toEqual([0, 1])
})
