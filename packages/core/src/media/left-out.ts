/** In place of a file that the model does not get to see. */
export function leftOut(
  { mime, filename }: { readonly mime: string; readonly filename?: string | undefined },
  reason: string,
) {
  return `[The attached ${filename ?? "file"} (${mime}) is left out: ${reason}]`
}
