import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@longreach/kit/secrets'
import { localName } from '@longreach/kit/person-name-rules'
import { realmPath, type Call } from '../realms/realm-call.ts'
import { cookieOf } from './form-session.ts'

const cookieName = 'longreach_known'
const livesS = 180 * 24 * 3_600
type Named = { realm: string; username: string }

/**
 * Value of the cookie that proves an earlier sign-in to this account from this browser. It does not
 * contain the name.
 */
function knownCookie(secrets: Secrets, named: Named, now: Date) {
  const text = `${randomBytes(16).toString('base64url')}.${Math.floor(now.getTime() / 1000)}`
  return `${text}.${browserProof(secrets, named, text)}`
}

/**
 * Random id of the browser in such a cookie; undefined when it is for another account or older than 180
 * days.
 */
export function browserOf(secrets: Secrets, named: Named, value: string, now: Date) {
  const [id = '', madeAt = '', proof = ''] = value.split('.')
  const given = Buffer.from(proof)
  const right = Buffer.from(browserProof(secrets, named, `${id}.${madeAt}`))
  const fits = given.length === right.length && timingSafeEqual(given, right)
  return fits && Number(madeAt) * 1000 > now.getTime() - livesS * 1000 ? id : undefined
}

function browserProof(secrets: Secrets, { realm, username }: Named, text: string) {
  const account = JSON.stringify([realm, localName(username.slice(0, 255), realm), text])
  const key = secrets.derive('identity/known-browser')
  return createHmac('sha256', key).update(account).digest('base64url')
}

/** Cookie of an earlier sign-in that the request carries. */
export const knownBrowserCookie = ({ request }: Pick<Call, 'request'>) =>
  cookieOf(request.headers.cookie, cookieName)

/**
 * Set the cookie of a known browser after a correct password: wrong passwords from elsewhere do not lock
 * it out below `path`.
 */
export function rememberBrowser(call: Call, username: string, path = realmPath(call.realm, '/')) {
  const { deps, realm, reply } = call
  const value = knownCookie(deps.secrets, { realm: realm.name, username }, deps.now())
  const secure = deps.site.origin.startsWith('https:') ? '; Secure' : ''
  const facts = `Path=${path}; Max-Age=${livesS}; HttpOnly; SameSite=Lax${secure}`
  void reply.header('set-cookie', `${cookieName}=${value}; ${facts}`)
}
