import { testStorageProcesses } from "@pawl/storage-testkit/processes"
import { describe } from "vitest"
import { noServer, serverURL, temporarySchema } from "./place.ts"

describe.skipIf(noServer)("with a server", () => {
  testStorageProcesses("postgres", {
    module: new URL("../src/index.ts", import.meta.url).href,
    url() {
      const url = new URL(serverURL)
      url.searchParams.set("schema", temporarySchema())
      return url.href
    },
  })
})
