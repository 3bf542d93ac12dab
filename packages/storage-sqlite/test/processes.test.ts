import { join } from "node:path"
import { testStorageProcesses } from "@pawl/storage-testkit/processes"
import { expect, it } from "vitest"
import { startChild } from "./child.ts"
import { temporaryFile } from "./place.ts"

testStorageProcesses("sqlite", {
  module: new URL("../src/index.ts", import.meta.url).href,
  url: (directory) => `sqlite:${join(directory, "pawl.db")}`,
})

it("lets a process end that only watches, and prints no warning", async () => {
  const child = startChild("watch.ts", [temporaryFile()])
  expect((await child.lines.next()).value).toBe("watching")
  expect(await child.ended).toEqual({ code: 0, signal: null, stderr: "" })
})
