import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { pastedImages } from "./images.ts"

let directory: string
let spaced: string
let plain: string

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-images-")))
  onTestFinished(() => rm(directory, { recursive: true }))
  spaced = join(directory, "my shot.png")
  plain = join(directory, "b.JPG")
  await writeFile(spaced, "x")
  await writeFile(plain, "x")
  await writeFile(join(directory, "notes.txt"), "x")
})

const pasted = (text: string) => pastedImages(text, directory, directory)

describe("a pasted path of an image", () => {
  it("is recognized quoted, escaped, as it is, as an address, and relative", () => {
    expect(pasted(spaced)).toEqual([spaced])
    expect(pasted(`'${spaced}' `)).toEqual([spaced])
    expect(pasted(spaced.replaceAll(" ", "\\ "))).toEqual([spaced])
    expect(pasted(pathToFileURL(spaced).href)).toEqual([spaced])
    expect(pasted("~/b.JPG")).toEqual([plain])
    expect(pasted("b.JPG")).toEqual([plain])
  })

  it("may be several", () => {
    expect(pasted(`${plain} "${spaced}"`)).toEqual([plain, spaced])
    expect(pasted(`${plain}\n${plain}`)).toEqual([plain, plain])
  })

  it("is text if anything else stands there, or the file does not exist", () => {
    expect(pasted(`see ${plain}`)).toBeUndefined()
    expect(pasted(join(directory, "missing.png"))).toBeUndefined()
    expect(pasted("notes.txt")).toBeUndefined()
    expect(pasted("")).toBeUndefined()
  })
})
