/** How subjects look. Anything else is nobody, and PostgreSQL need not be asked. */
export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The stored form of a user name: lower case, without the realm that may follow it. */
export function localName(username: string, realm: string) {
  const name = username.trim().normalize('NFKC').toLowerCase()
  const suffix = `@${realm}`
  return name.endsWith(suffix) && name.length > suffix.length ? name.slice(0, -suffix.length) : name
}

/** The name in tokens: `name@realm`; a name that is a mail address stays as it is. */
export const qualifiedName = (username: string, realm: string) =>
  username.includes('@') ? username : `${username}@${realm}`

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim()

/** The required actions of an account, with what a temporary password adds or its end takes away. */
export function actionsWith<A extends string>(
  actions: readonly (A | 'UPDATE_PASSWORD')[],
  temporaryPassword: boolean | undefined,
) {
  const others = [...new Set(actions)]
  if (temporaryPassword === undefined) return others
  const kept = others.filter((one) => one !== 'UPDATE_PASSWORD')
  return temporaryPassword ? [...kept, 'UPDATE_PASSWORD' as const] : kept
}
