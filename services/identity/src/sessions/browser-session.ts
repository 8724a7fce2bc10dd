import { pinned } from '../realms/provider-request.ts'
import type { Call } from '../realms/realm-call.ts'

/** Who is signed in by the browser's own cookie, in which session; undefined when nobody is. */
export async function browserSession({ request, reply, realm }: Call) {
  const { provider } = realm
  const raw = pinned(request, realm, request.url.slice(new URL(realm.issuer).pathname.length))
  const { uid, accountId } = await provider.Session.get(provider.createContext(raw, reply.raw))
  return accountId === undefined ? undefined : { uid, accountId }
}
