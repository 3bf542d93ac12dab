/** Returns the text that replaces a file for the model. */
export function leftOut(
  { mime, filename }: { readonly mime: string; readonly filename?: string | undefined },
  reason: string,
) {
  return `[The attached ${filename ?? "file"} (${mime}) is left out: ${reason}]`
}
