/** Audience of access tokens, and of permission tickets that ask for no other. */
export const platformAudience = 'corvina-platform'

/** Scopes that every token gets, requested or not, as existing clients expect. */
export const standardScopes = ['openid', 'profile', 'email']
/** Scope of all organizations of the person. */
export const everyOrganization = 'org:*'
/** Scope with which embedded apps may request tokens of their own. */
export const everyApp = 'app:*'

const prefix = 'org:'

/** Requested scope with the standard scopes added. */
export const withStandardScopes = (scope: string) =>
  [...new Set([...standardScopes, ...scope.split(' ').filter(Boolean)])].join(' ')

/**
 * Scope in the order of the wire, organizations before `profile email`: an existing client looks for
 * `org:x` followed by a blank.
 */
export function inWireOrder(scope: string) {
  const scopes = scope.split(' ').filter(Boolean)
  const [first = '', ...last] = standardScopes
  const middle = scopes.filter((one) => !standardScopes.includes(one))
  const held = (one: string) => scopes.includes(one)
  return [...[first].filter(held), ...middle, ...last.filter(held)].join(' ')
}

/** Organizations (resourceId) that a scope names, without `org:*`. */
export const organizationsIn = (scope: string) =>
  scope
    .split(' ')
    .filter((one) => one.startsWith(prefix) && one !== everyOrganization)
    .map((one) => one.slice(prefix.length))

/** Test that a scope names its organizations and not `org:*`. */
export const namesAll = (scope: string) =>
  organizationsIn(scope).length > 0 && !scope.split(' ').includes(everyOrganization)

export const asksForOrganizations = (scope: string) => scope.includes(prefix)

/** Scopes that libraries request by default: granted, though accounts have no phone number and no address. */
export const emptyScopes = ['phone', 'address']

/**
 * Scopes that a token may have for a person with these organizations. Others are dropped without an
 * error.
 */
export const availableScopes = (organizations: readonly string[]) => [
  ...standardScopes,
  ...emptyScopes,
  everyOrganization,
  everyApp,
  ...organizations.map((resourceId) => prefix + resourceId),
]
