export { serveSessions, type ServeOptions } from "./serve-sessions.ts"
export type { Prompters, Served, ServeHost } from "./serve-host.ts"
export { serveSessionsOverHTTP, type ServeHTTPOptions } from "./http/serve-http.ts"
