import { testStorage } from "@pawl/storage-testkit"
import type { MaintainedStorage } from "@pawl/core/storage"

// Written in JavaScript, without types, as packages of others may be.
const example = new URL("../../../examples/storage-third-party/index.js", import.meta.url).href
const { openStorage } = (await import(example)) as { openStorage: (url: string) => Promise<MaintainedStorage> }

testStorage("example", { open: (location) => openStorage(`noted:${location}`), persistent: false })
