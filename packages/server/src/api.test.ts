import { expect, it } from "vitest"
import { serving } from "../test/serving.ts"

it("answers what OpenCode's terminal UI asks of the newer interface", async () => {
  await using server = await serving()
  const { app, directory } = server
  const get = async (path: string) => (await app.request(path)).json()
  const location = { directory, project: { id: "project-1", directory } }
  expect(await get("/api/location")).toEqual(location)
  expect(await get("/api/fs/find?query=rdme")).toEqual({ location, data: [{ path: "read.me", type: "file" }] })
  expect(await get("/api/fs/find?query=read&type=directory")).toEqual({ location, data: [] })
  expect(await get("/api/command")).toMatchObject({ location, data: [{ name: "compact" }] })
  expect(await get("/project/project-1/directories")).toEqual([{ directory }])
  expect(await get("/experimental/capabilities")).toEqual({ backgroundSubagents: false })
  expect((await app.request("/project/other/directories")).status).toBe(404)
  expect((await app.request("/api/fs/find?query=a&limit=9999")).status).toBe(400)
  expect((await app.request("/api/fs/find?query=a&location[directory]=/etc")).status).toBe(400)
})
