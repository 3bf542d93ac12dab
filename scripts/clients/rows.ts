import type { ClientRow } from "./features.ts"
import { aiSdkRow } from "./rows/ai-sdk.ts"
import { editorRow } from "./rows/editor.ts"
import { fetchRow } from "./rows/fetch.ts"
import { opencodeRunRow } from "./rows/opencode-run.ts"
import { opencodeMiniRow, opencodeTuiRow } from "./rows/opencode-tui.ts"
import { pawlClientRow } from "./rows/pawl-client.ts"
import { pawlRunRow } from "./rows/pawl-run.ts"
import { pawlTuiRow } from "./rows/pawl-tui.ts"
import { sdkV2Row } from "./rows/sdk-v2.ts"
import { sdkRow } from "./rows/sdk.ts"
import { webAppRow } from "./rows/web-app.ts"

/** The clients, in the order of the table. */
export const rows: readonly ClientRow[] = [
  ...[opencodeTuiRow, opencodeMiniRow, opencodeRunRow, webAppRow],
  ...[sdkRow, sdkV2Row, aiSdkRow],
  ...[pawlClientRow, pawlTuiRow, pawlRunRow, fetchRow],
  editorRow,
]
