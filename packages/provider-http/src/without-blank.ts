/**
 * What `load` gives, with this variable of the process absent meanwhile if it is blank. An SDK that reads its address
 * from it while it is imported throws where that is blank, although nobody has asked it for anything.
 */
export async function withoutBlank<T>(variable: string, load: () => Promise<T>): Promise<T> {
  const value = process.env[variable]
  if (value === undefined || value.trim() !== "") return load()
  delete process.env[variable]
  try {
    return await load()
  } finally {
    process.env[variable] ??= value
  }
}
