import type { TestProject } from "vitest/node"
import { startTestServer, type TestServer } from "@pawl/postgres-test-server"

declare module "vitest" {
  interface ProvidedContext {
    /** A server's URL, or why there is none. */
    readonly server: { readonly url: string } | { readonly reason: string }
  }
}

/** One server for all test files of a run: that of TEST_DATABASE_URL, or one of its own. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const url = process.env["TEST_DATABASE_URL"]
  if (url) {
    project.provide("server", { url })
    return undefined
  }
  let server: TestServer
  try {
    server = await startTestServer()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.warn(`PostgreSQL's tests are skipped: ${reason}`)
    project.provide("server", { reason })
    return undefined
  }
  project.provide("server", { url: server.url })
  return async () => {
    await server[Symbol.asyncDispose]()
  }
}
