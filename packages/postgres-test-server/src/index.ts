export { findBinaries } from "./binaries.ts"
export { startTestServer, type StopMode, type TestServer, type TestServerOptions } from "./test-server.ts"
