export { serveSessions, type ServeOptions } from "./serve-sessions.ts"
export type { People, Served, ServeHost } from "./serve-host.ts"
