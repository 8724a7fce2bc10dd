/** Name in the query of the host of an organization to sign in for, as clients in the field open the portal. */
const namedHost = 'corvina-login-hostname'

type Realms = { asked: string | undefined; remembered: string | undefined }

/**
 * Parameters for finding the realm: the host that the address names, else its own, and the realm that was
 * requested or remembered; `name` is the host or realm in the address, if there is one.
 */
export function loginQuestion(
  { hostname, search }: Pick<Location, 'hostname' | 'search'>,
  { asked, remembered }: Realms,
) {
  const named = new URLSearchParams(search).get(namedHost)?.trim()
  if (named) return { hostname: named, realm: asked, name: named }
  return { hostname, realm: asked ?? remembered, name: asked }
}

/** Parameters of the query that are for sign-in only. */
export const entryNames = ['realm', namedHost] as const

type Hosted = {
  realmName: string
  organization: string
  origin: string | undefined
  /** The built-in identity returns people to hosts of organizations too. */
  mayStay: boolean
}

/**
 * Next address of a person at the host of an organization: at the installation's origin (`leave`), or
 * at this one when that is the same or a subdomain of it; with realm and organization in the address.
 * An organization that the address already names is kept.
 */
export function hostedAddress(
  at: Pick<Location, 'href' | 'origin'>,
  { realmName, organization, origin = at.origin, mayStay }: Hosted,
) {
  const url = new URL(at.href)
  const leave = origin !== at.origin && !(mayStay && isLabelBefore(at.origin, origin))
  url.searchParams.delete(namedHost)
  if (!url.searchParams.has('org')) url.searchParams.set('org', organization)
  if (leave) url.searchParams.set('realm', realmName)
  // Put together, not resolved: a path that begins with `//` would lead to another host.
  const to = leave ? origin : at.origin
  return { leave, address: to + url.pathname + url.search + (leave ? '' : url.hash) }
}

/** Is the one the other with one label more before its host? */
function isLabelBefore(here: string, origin: string) {
  const [start = '', host = ''] = origin.split('://')
  const before = here.startsWith(`${start}://`) ? here.slice(start.length + 3) : ''
  return before.endsWith(`.${host}`) && /^[a-z0-9-]{1,63}$/.test(before.slice(0, -host.length - 1))
}

/** Address at the installation's origin for a page at an unknown host; undefined if it is already there. */
export function homeAddress(at: Pick<Location, 'href' | 'origin'>, origin: string | undefined) {
  if (origin === undefined || origin === at.origin) return undefined
  const url = new URL(at.href)
  return origin + url.pathname + url.search
}
