/** The stored form of a user name: lower case, without the realm that may follow it (`anna@nordwerk`). */
export function localName(username: string, realm: string) {
  const name = username.trim().normalize('NFKC').toLowerCase()
  const suffix = `@${realm}`
  return name.endsWith(suffix) && name.length > suffix.length ? name.slice(0, -suffix.length) : name
}

/** The name in tokens: `name@realm`; a name that is a mail address stays as it is. */
export const qualifiedName = (username: string, realm: string) =>
  username.includes('@') ? username : `${username}@${realm}`
