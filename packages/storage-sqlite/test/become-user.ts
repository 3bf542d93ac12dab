/** Goes on as another user, where one is named by its number. */
export function becomeUser(user: string | undefined): void {
  if (user === undefined) return
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
