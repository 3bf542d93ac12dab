import { Client } from "pg"

/** Terminates all client connections of the server, as an operator or a proxy could. */
export async function terminateConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL",
  )
  await client.end()
}
