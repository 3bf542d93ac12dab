import { chatRequest, modelServer } from "@pawl/model-server"
import { replyTo } from "../model/reply-to.ts"
const server = await modelServer({ port: 18190, replies: (r) => replyTo(chatRequest(r)), record: false } as never)
console.log(server.url)
setTimeout(() => process.exit(), 3600_000 * 2.5)
