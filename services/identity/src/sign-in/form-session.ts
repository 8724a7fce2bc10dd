import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Secrets } from '@longreach/kit/secrets'

/** `name/domain`, the domain being an organization's resourceId, which begins with its realm; undefined for anything else. */
export function userAndDomain(text: string) {
  const [username = '', domain = '', ...more] = text.trim().toLowerCase().split('/')
  const [realm = ''] = domain.split('.')
  const fits = /^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9_-]{1,255})*$/.test(domain)
  return more.length === 0 && username !== '' && fits ? { username, realm, domain } : undefined
}

/**
 * May this request carry out a change for the browser that sends it? Browsers say where a form stands;
 * programs say nothing, and have no cookies of others to misuse.
 */
export function isOwnForm(headers: IncomingHttpHeaders, origin: string) {
  const { origin: from, 'sec-fetch-site': site } = headers
  if (from !== undefined && from !== origin) return false
  return site === undefined || site === 'same-origin' || site === 'none'
}

const label = 'identity/form-session'
const proofOf = (secrets: Secrets, text: string) =>
  createHmac('sha256', secrets.derive(label)).update(text).digest('base64url')

/** The value of the form login's own cookie: which session it means, signed. */
export function formCookie(secrets: Secrets, { realm, uid }: { realm: string; uid: string }) {
  const text = `${realm}.${uid}`
  return `${text}.${proofOf(secrets, text)}`
}

/** The session that such a cookie names; undefined when it is not ours. */
export function sessionOfCookie(secrets: Secrets, value: string | undefined) {
  const [realm = '', uid = '', proof = ''] = value?.split('.') ?? []
  const [given, right] = [Buffer.from(proof), Buffer.from(proofOf(secrets, `${realm}.${uid}`))]
  const fits = given.length === right.length && timingSafeEqual(given, right)
  return fits ? { realm, uid } : undefined
}

/** One cookie out of a request's header. */
export const cookieOf = (header: string | undefined, name: string) =>
  header
    ?.split(/;\s*/)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
