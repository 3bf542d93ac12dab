import type { MaintainedStorage, Session } from "@pawl/core/storage"
import type { Settings } from "../config/settings.ts"
import { storageChoice } from "../config/storage-choice.ts"
import { findSession } from "../session/find-session.ts"
import { requireWhole } from "../session/require-whole.ts"
import { openStorage } from "../storage/open-storage.ts"
import { requireExisting } from "../storage/require-existing.ts"
import type { StepContext } from "./step-context.ts"

export interface OpenedSessions {
  readonly storage: Promise<MaintainedStorage>
  /** Undefined for a new session. */
  readonly session: Session | undefined
}

/** Step 2: starts to open the storage, and finds the session to continue in it. */
export async function openSessions(
  settings: Settings,
  { options: { directory, session: choice, storage: url, isReport }, host, say, resources }: StepContext,
): Promise<OpenedSessions> {
  const flag = url === undefined ? undefined : { name: "--storage", value: url }
  const location = storageChoice({ ...settings, host, flag })
  const isContinued = choice !== undefined && choice.type !== "new"
  if (isContinued) await requireExisting(location)
  const storage = openStorage(location, { onNotice: say })
  // The last step awaits the storage; meanwhile other files are read.
  storage.catch(() => undefined)
  resources.add(() =>
    storage.then(
      (opened) => opened.close(),
      () => undefined,
    ),
  )
  if (!isContinued) return { storage, session: undefined }
  const session = await findSession(await storage, choice, directory)
  if (!isReport) await requireWhole(session)
  return { storage, session }
}
