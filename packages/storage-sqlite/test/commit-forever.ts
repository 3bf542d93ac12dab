import { writeSync } from "node:fs"
import { messageID, partID, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit/samples"
