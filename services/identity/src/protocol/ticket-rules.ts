import { actions, resources } from '@longreach/authorization/permissions'

export type Wanted = { organization: string; scopes: string[] }
type Granted = { rsid: string; rsname: string; scopes: string[]; roles?: string[] }

const known = new Set(
  resources.flatMap((resource) => actions.map((action) => `iam.${resource}.${action}`)),
)
const mostPermissions = 20
/** Characters of a field: enough for an organization and all scopes. */
const longestField = 8_000

type TicketFault = 'invalid_request' | 'invalid_resource' | 'invalid_scope'

/**
 * Requested permissions: each `permission` field is `name#scope,scope`, with the resourceId of an
 * organization as name.
 */
export function wantedPermissions(fields: readonly string[]): Wanted[] | TicketFault {
  if (fields.length > mostPermissions) return 'invalid_request'
  if (fields.some(({ length }) => length > longestField)) return 'invalid_request'
  const wanted = fields.map((field) => {
    const [organization = '', scopes = ''] = field.split('#')
    return { organization: organization.trim(), scopes: scopes.split(',').filter(Boolean) }
  })
  if (wanted.some(({ organization }) => !/^[^\s*]{1,500}$/.test(organization))) {
    return 'invalid_resource'
  }
  if (wanted.some(({ scopes }) => scopes.some((scope) => !known.has(scope)))) return 'invalid_scope'
  return wanted
}

/**
 * Granted permissions: requested scopes that are held, or all held ones when none is named. When one
 * organization gets nothing, the whole request is denied (undefined).
 */
export function grantedPermissions(
  wanted: readonly Wanted[],
  held: ReadonlyMap<string, readonly Granted[]>,
): Granted[] | undefined {
  const granted: Granted[] = []
  for (const { organization, scopes } of wanted) {
    const found = (held.get(organization) ?? []).map((one) => ({
      ...one,
      scopes: scopes.length === 0 ? one.scopes : one.scopes.filter((each) => scopes.includes(each)),
    }))
    const some = found.filter(({ scopes: rest }) => scopes.length === 0 || rest.length > 0)
    if (some.length === 0) return undefined
    granted.push(...some)
  }
  return granted
}
