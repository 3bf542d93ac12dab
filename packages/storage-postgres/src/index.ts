export { openStorage, postgresStorage } from "./postgres-storage.ts"
export type { PostgresStorageOptions } from "./options.ts"
