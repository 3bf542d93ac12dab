import { createServer } from "@pawl/server"
import { expect, it } from "vitest"
import { type Document, generate } from "../test/generate.ts"

it("has the routes and types of the server's document", async () => {
  const server = createServer({
    directory: "/",
    version: "1",
    open: () => Promise.reject(new Error("No directory is opened here.")),
  })
  const answer = await server.fetch(new Request("http://127.0.0.1/doc"))
  await expect(generate((await answer.json()) as Document)).toMatchFileSnapshot("./generated.ts")
  await server.close()
})
