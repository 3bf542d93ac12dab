import { postgresStorage } from "../src/postgres-storage.ts"

// Opens the storage several times at once, for as long as it takes to see that it can be used.
const [url = "", schema = ""] = process.argv.slice(2)
const storages = await Promise.all([1, 2, 3].map(() => postgresStorage({ url, schema })))
for (const storage of storages) {
  for await (const _ of storage.listSessions());
  await storage.close()
}
console.log("opened")
