import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Secrets } from '@longreach/kit/secrets'

/**
 * Parts of `name/domain`: the domain is the resourceId of an organization and begins with its realm.
 * Undefined for any other text.
 */
export function userAndDomain(text: string) {
  const [username = '', domain = '', ...more] = text.trim().toLowerCase().split('/')
  const [realm = ''] = domain.split('.')
  const fits = /^[a-z0-9][a-z0-9-]{0,62}(\.[a-z0-9_-]{1,255})*$/.test(domain)
  return more.length === 0 && username !== '' && fits ? { username, realm, domain } : undefined
}

/**
 * Test that a form comes from our own page or from a program. Browsers send the origin of a form;
 * programs send none, and hold no cookies of other people.
 */
export function isOwnForm(headers: IncomingHttpHeaders, origin: string) {
  const { origin: from, 'sec-fetch-site': site } = headers
  if (from !== undefined && from !== origin) return false
  return site === undefined || site === 'same-origin' || site === 'none'
}

const label = 'identity/form-session'
const formProof = (secrets: Secrets, text: string) =>
  createHmac('sha256', secrets.derive(label)).update(text).digest('base64url')

/** Value of the cookie of the form login: realm and session, signed. */
export function formCookie(secrets: Secrets, { realm, uid }: { realm: string; uid: string }) {
  const text = `${realm}.${uid}`
  return `${text}.${formProof(secrets, text)}`
}

/** Session in such a cookie; undefined when the signature is wrong. */
export function sessionOfCookie(secrets: Secrets, value: string | undefined) {
  const [realm = '', uid = '', proof = ''] = value?.split('.') ?? []
  const [given, right] = [Buffer.from(proof), Buffer.from(formProof(secrets, `${realm}.${uid}`))]
  const fits = given.length === right.length && timingSafeEqual(given, right)
  return fits ? { realm, uid } : undefined
}

/** Cookie of a request by name. */
export const cookieOf = (header: string | undefined, name: string) =>
  header
    ?.split(/;\s*/)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
