import { describe, expect, it } from "vitest"
import { image, pdf } from "../../test/corpus/media/files.ts"
import type { RejectedFiles } from "../contracts/model.ts"
import type { MessageWithParts, Part } from "../record/message.ts"
import { createModelMessages } from "../request/model-messages.ts"
import { quarantineWrites } from "./quarantine.ts"

const files = {
  shot: image("shot.png", "image/png", { width: 800, height: 600 }),
  photo: image("photo.jpg", "image/jpeg", { width: 9_000, height: 4_000, bytes: 4_000_000 }),
  report: pdf("report.pdf", 400_000),
  diagram: image("diagram.gif", "image/gif", { width: 640, height: 480 }),
}

describe("quarantine", () => {
  const owner = { sessionID: "ses_1", messageID: "msg_1" } as const
  const filePart = (id: `prt_${string}`, { mime, filename, url }: (typeof files)["photo"]) => {
    return { ...owner, id, type: "file", mime, filename: filename ?? "", url } as const
  }
  const user: MessageWithParts = {
    info: {
      ...{ id: "msg_1", sessionID: "ses_1", role: "user", agent: "build", time: { created: 1 } },
      model: { providerID: "acme", modelID: "small" },
    },
    parts: [filePart("prt_1", files.photo), filePart("prt_2", files.report)],
  }
  const assistant: MessageWithParts = {
    info: { ...user.info, id: "msg_2", role: "assistant" } as never,
    parts: [
      {
        ...{ id: "prt_3", sessionID: "ses_1", messageID: "msg_2", type: "tool", callID: "c1", tool: "read" },
        state: {
          ...{
            status: "completed",
            input: {},
            output: "Two images.",
            title: "",
            metadata: {},
            time: { start: 1, end: 2 },
          },
          attachments: [filePart("prt_4", files.shot), filePart("prt_5", files.photo)],
        },
      },
    ],
  }
  const history = [user, assistant]

  function quarantined(rejection: RejectedFiles): MessageWithParts[] {
    const written = quarantineWrites(history, rejection, 9).flatMap((write) =>
      write.type === "part.put" ? [write.part] : [],
    )
    return history.map(({ info, parts }) => ({
      info,
      parts: parts.map((part: Part) => written.find(({ id }) => id === part.id) ?? part),
    }))
  }

  it("keeps every copy of a refused file from the requests to come, and the others in them", () => {
    const model = user.info.role === "user" ? user.info.model : { providerID: "", modelID: "" }
    const sent = (messages: readonly MessageWithParts[]) => JSON.stringify(createModelMessages()(messages, model))
    const reason = "the provider refused it: the image is broken"

    const after = quarantined({ files: [files.photo], reason })

    expect(sent(history).split(files.photo.url)).toHaveLength(3)
    expect(sent(after)).not.toContain(files.photo.url)
    for (const kept of [files.report, files.shot]) expect(sent(after)).toContain(kept.url)
    expect(sent(after)).toContain(
      "[The attached photo.jpg (image/jpeg) is left out: the provider refused it: the image is broken]",
    )
    expect(JSON.stringify(after)).toContain(files.photo.url)
  })

  it("writes nothing for a file that no part holds, or that is in quarantine already", () => {
    expect(quarantineWrites(history, { files: [files.diagram], reason: "x" }, 9)).toEqual([])
    const photo = { files: [files.photo], reason: "x" }
    expect(quarantineWrites(quarantined(photo), photo, 10)).toEqual([])
  })
})
