import type { ClientRow } from "./features.ts"
import { fetchRow } from "./rows/fetch.ts"
import { pawlClientRow } from "./rows/pawl-client.ts"
import { sdkV2Row } from "./rows/sdk-v2.ts"
import { sdkRow } from "./rows/sdk.ts"

/** The clients, in the order of the table. */
export const rows: readonly ClientRow[] = [
  ...[sdkRow, sdkV2Row],
  ...[pawlClientRow, fetchRow],
]
