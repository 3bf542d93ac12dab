import { testStorage } from "@pawl/storage-testkit"
import { sqliteStorage } from "./sqlite-storage.ts"

testStorage("sqlite", { open: (location) => sqliteStorage({ path: location, pollInterval: 20 }) })
