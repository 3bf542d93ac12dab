import { readFile } from "node:fs/promises"
import { UsageError } from "@pawl/config/usage-error"
import type { Connection } from "./connection.ts"

/** With the text of the certificates in place of their path. Throws UsageError for a file that cannot be read. */
export async function withCertificates(connection: Connection): Promise<Connection> {
  const { id, ca } = connection
  if (ca === undefined || ca.includes("-----BEGIN ")) return connection
  const text = await readFile(ca, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`provider.${id}.options.ca names ${ca}, which cannot be read (${error.code}).`)
  })
  if (text.includes("-----BEGIN CERTIFICATE-----")) return { ...connection, ca: text }
  throw new UsageError(`provider.${id}.options.ca names ${ca}, which holds no certificate in the form of PEM.`)
}
