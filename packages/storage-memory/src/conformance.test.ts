import { testStorage } from "@pawl/storage-testkit"
import { memoryStorage } from "./memory-storage.ts"

testStorage("memory", { open: () => memoryStorage(), persistent: false })
