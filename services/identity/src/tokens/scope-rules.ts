/** Audience of access tokens, and of permission tickets that ask for no other. */
export const platformAudience = 'corvina-platform'

/** Scopes that everybody gets, whether asked for or not, as the clients in the field expect. */
export const standardScopes = ['openid', 'profile', 'email']
/** All organizations of the person; `app:*` lets embedded apps ask for tokens of their own. */
export const everyOrganization = 'org:*'
export const everyApp = 'app:*'

const prefix = 'org:'

/** What a client asked for with the standard scopes added. */
export const withStandardScopes = (scope: string) =>
  [...new Set([...standardScopes, ...scope.split(' ').filter(Boolean)])].join(' ')

/** Organizations before `profile email`: a client in the field looks for `org:x` with a blank after it. */
export function inWireOrder(scope: string) {
  const scopes = scope.split(' ').filter(Boolean)
  const [first = '', ...last] = standardScopes
  const middle = scopes.filter((one) => !standardScopes.includes(one))
  const held = (one: string) => scopes.includes(one)
  return [...[first].filter(held), ...middle, ...last.filter(held)].join(' ')
}

/** The organizations (resourceId) named in a scope; `org:*` not counted. */
export const organizationsIn = (scope: string) =>
  scope
    .split(' ')
    .filter((one) => one.startsWith(prefix) && one !== everyOrganization)
    .map((one) => one.slice(prefix.length))

/** Are all organizations that a scope asks for named in it? */
export const namesAll = (scope: string) =>
  organizationsIn(scope).length > 0 && !scope.split(' ').includes(everyOrganization)

export const asksForOrganizations = (scope: string) => scope.includes(prefix)

/** Asked for by libraries out of habit: granted, though no account has a phone number or an address. */
export const emptyScopes = ['phone', 'address']

/** What a token may hold for a person with these organizations. Scopes beyond are dropped silently. */
export const availableScopes = (organizations: readonly string[]) => [
  ...standardScopes,
  ...emptyScopes,
  everyOrganization,
  everyApp,
  ...organizations.map((resourceId) => prefix + resourceId),
]
