import { basename } from "node:path"
import type { TestServer } from "@pawl/postgres-test-server"
import type { Subject } from "./subject.ts"

export function postgres(server: TestServer): Subject {
  return {
    name: "postgres",
    kind: "server",
    calls: ["write", "writev"],
    url: (directory) => `${server.url}?schema=${basename(directory).toLowerCase().replaceAll(/\W/g, "_")}`,
  }
}
