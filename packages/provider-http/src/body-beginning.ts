/** Returns the first bytes of a body and does not read the rest. */
export function bodyBeginning(body: ReadableStream<Uint8Array>, most: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let left = most
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        const kept = value.subarray(0, left)
        left -= kept.length
        controller.enqueue(kept)
        if (left > 0) return
        await reader.cancel()
        controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

export async function textBeginning({ body }: Response, most: number): Promise<string> {
  if (body === null) return ""
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of bodyBeginning(body, most)) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
