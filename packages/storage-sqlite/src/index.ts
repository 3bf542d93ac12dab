export { openStorage, type SqliteStorage, sqliteStorage, type SqliteStorageOptions } from "./sqlite-storage.ts"
