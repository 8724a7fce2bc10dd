import { type Bearer, bearerOf } from './access-token.ts'
import type { Call } from './realm-call.ts'
import { personClaims } from './token-claims.ts'

/** Who holds this access token. The portal asks every three minutes, as a sign of life. */
export async function userinfo(call: Call) {
  const bearer = await admitted(call)
  return bearer ? send(call, personClaims(bearer.account)) : refused(call)
}

const admitted = ({ deps, realm, request }: Call): Promise<Bearer | undefined> =>
  bearerOf(deps, realm, request.headers.authorization)

const send = ({ reply }: Call, body: object) => reply.header('cache-control', 'no-store').send(body)

const refused = ({ reply, realm }: Call) =>
  reply
    .code(401)
    .header('www-authenticate', `Bearer realm="${realm.name}", error="invalid_token"`)
    .header('cache-control', 'no-store')
    .send({ error: 'invalid_token', error_description: 'Token verification failed' })
