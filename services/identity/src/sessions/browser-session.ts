import { pinToIssuer } from '../realms/provider-request.ts'
import type { Call } from '../realms/realm-call.ts'

/** Session of the browser’s cookie: its id and account; undefined when nobody is signed in. */
export async function browserSession({ request, reply, realm }: Call) {
  const { provider } = realm
  const raw = pinToIssuer(request, realm, request.url.slice(new URL(realm.issuer).pathname.length))
  const { uid, accountId } = await provider.Session.get(provider.createContext(raw, reply.raw))
  return accountId === undefined ? undefined : { uid, accountId }
}
