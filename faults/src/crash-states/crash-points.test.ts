import { expect, it } from "vitest"
import { crashPoints } from "./crash-points.ts"
import { withJournalsCutFirst } from "./cut-first.ts"
import { directoryWith, type Files } from "./disk.ts"
import { type Loss, losses, mixedLoss } from "./fates.ts"
import { parseTrace, type SystemCall } from "./system-call.ts"

const hex = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`

/** Writes a new file under another name, makes it durable, gives it its name, and says so. */
const text = [
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
const trace = [...parseTrace(text)]

function states(what: { content: string; entries: string } | Loss, without?: (call: SystemCall) => boolean): string[] {
  const loss =
    "name" in what ? what : losses.find(({ name }) => name === `content ${what.content}, entries ${what.entries}`)
  return Array.from(crashPoints(trace, { directory: "/d", step: 1, without }), ({ state }) => toText(state(loss!)))
}

function toText(files: Files): string {
  return [...files].map(([path, content]) => `${path}=${content?.toString() ?? "directory"}`).join(" ")
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
  const counts = Array.from(crashPoints(trace, { directory: "/d", step: 1 }), ({ attempts }) => attempts().length)
  expect([counts.at(0), counts.at(-1)]).toEqual([0, 1])
})

it("gives each change a fate of its own, the same for the same seed", () => {
  const calls = [
    `7 openat(AT_FDCWD, ${hex("/d/a")}, O_WRONLY|O_CREAT, 0600) = 5`,
    `7 openat(AT_FDCWD, ${hex("/d")}, O_RDONLY) = 6`,
    `7 fsync(6) = 0`,
    ...["aa", "bb", "cc"].map((bytes) => `7 write(5, ${hex(bytes)}, 2) = 2`),
  ]
  const left = (seed: number) => {
    const found = Array.from(
      crashPoints(parseTrace(calls.join("\n")), { directory: "/d", step: 1 }),
      ({ state }) => state(mixedLoss(seed)).get("a")?.toString() ?? "",
    )
    return found.at(-1)
  }
  const seeds = Array.from({ length: 300 }, (_, seed) => seed)
  expect(new Set(seeds.map(left)).size).toBe(3 ** 3)
  expect(seeds.map(left)).toEqual(seeds.map(left))
  expect(seeds.map(left)).toContain("aa\0\0cc")
})

it("begins with what a first power cut left, which a second one does not take", () => {
  const files: Files = new Map([
    ["a", Buffer.from("old")],
    ["b", undefined],
  ])
  const points = crashPoints(trace, { directory: "/d", root: directoryWith(files), step: 1 })
  const left = Array.from(points, ({ state }) => toText(state(losses.at(-1)!)))
  expect(left[0]).toBe("a=old b=directory")
})

it("cuts a journal before the first sync of what it protects, on purpose", () => {
  const calls = [
    `7 openat(AT_FDCWD, ${hex("/d/record")}, O_WRONLY|O_CREAT, 0600) = 5`,
    `7 write(5, ${hex("new")}, 3) = 3`,
    `7 fsync(5) = 0`,
    `7 openat(AT_FDCWD, ${hex("/d/journal")}, O_RDWR) = 6`,
    `7 ftruncate(6, 0) = 0`,
    `7 fsync(6) = 0`,
  ]
  const cut = withJournalsCutFirst([...parseTrace(calls.join("\n"))], "/d", /journal/)
  const root = directoryWith(new Map([["journal", Buffer.from("line")]]))
  const points = [...crashPoints(cut, { directory: "/d", root, step: 1 })].map(({ at }) => at)
  expect(points).toEqual(["1 (openat)", "2 (write)", "3 (truncate)", "4 (fsync)", "5 (fsync)"])
  const elsewhere = withJournalsCutFirst([...parseTrace(calls.join("\n"))], "/e", /journal/)
  expect(elsewhere).toEqual([...parseTrace(calls.join("\n"))])
})
