import { testStorage } from "@pawl/storage-testkit"
import type { Storage } from "@pawl/core"

// Written in JavaScript, without types, as packages of others may be.
const example = new URL("../../../examples/storage-third-party/index.js", import.meta.url).href
const { openStorage } = (await import(example)) as { openStorage: (url: string) => Promise<Storage> }

testStorage("example", { open: (location) => openStorage(`noted:${location}`), persistent: false })
