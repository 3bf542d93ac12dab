import sharp from "sharp"
import { expect, it } from "vitest"
import { imageResizer } from "./image-resizer.ts"

const bounds = { width: 10, height: 10, bytes: 100_000, mimes: ["image/png"] }

it("draws images smaller", async () => {
  const create = { width: 40, height: 20, channels: 3, background: "red" } as const
  const resize = imageResizer((text) => {
    throw new Error(text)
  })

  const resized = await resize(await sharp({ create }).png().toBuffer(), bounds)

  expect(resized?.mime).toBe("image/png")
  expect(await sharp(resized?.content).metadata()).toMatchObject({ width: 10, height: 5 })
})

it("loads nothing before the first image", async () => {
  let loads = 0
  const resize = imageResizer(
    () => undefined,
    async () => {
      loads++
      return async () => undefined
    },
  )
  expect(loads).toBe(0)
  await Promise.all([resize(Buffer.alloc(0), bounds), resize(Buffer.alloc(0), bounds)])
  expect(loads).toBe(1)
})

it("leaves images out where the decoder cannot be loaded, and says so once", async () => {
  const notices: string[] = []
  const resize = imageResizer(
    (text) => void notices.push(text),
    () => Promise.reject(new Error("Cannot find package 'sharp' imported from pawl\nRequire stack: …")),
  )

  expect(await resize(Buffer.alloc(0), bounds)).toBeUndefined()
  expect(await resize(Buffer.alloc(0), bounds)).toBeUndefined()

  expect(notices).toEqual([expect.stringContaining("(Cannot find package 'sharp' imported from pawl). Install pawl")])
})
