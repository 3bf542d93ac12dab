import { expect, it } from "vitest"
import { serving } from "../test/serving.ts"
import { openAPIDocument } from "./openapi/document.ts"
import { appOperations, serverOperations } from "./operations.ts"

it("describes every route of the app, and no other", async () => {
  await using server = await serving()
  const routes = server.app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`)
  expect(routes.toSorted()).toEqual(Object.keys(appOperations).toSorted())
})

it("gives each operation its own id", () => {
  const ids = Object.values({ ...appOperations, ...serverOperations }).map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(100)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

it("refers only to schemas that it contains", () => {
  const text = JSON.stringify(openAPIDocument({ ...appOperations, ...serverOperations }, "1"))
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } }
  const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  const known = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`)
  expect(names.filter((name) => !known.includes(name ?? ""))).toEqual([])
})

it("marks missing features, which answer 404 with their name", async () => {
  await using server = await serving()
  const answer = await server.app.request("/doc")
  const document = (await answer.json()) as { paths: Record<string, Record<string, { "x-missing"?: string }>> }
  expect(document.paths["/lsp"]?.["get"]).toMatchObject({
    operationId: "lsp.status",
    "x-missing": "language servers",
  })
  const missing = await server.app.request("/lsp")
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ data: { message: expect.stringContaining("has no language servers") } })
})
