import { type Bearer, bearerOf } from '../tokens/access-token.ts'
import type { Call } from '../realms/realm-call.ts'
import { personClaims } from '../tokens/token-claims.ts'

/** Claims about the holder of an access token. */
export async function userinfo(call: Call) {
  const bearer = await admitted(call)
  return bearer ? sendUserinfo(call, personClaims(bearer.account)) : refuseUserinfo(call)
}

/** Bearer of the token in the header or, in a form, a field; not of both, and never of the address. */
function admitted({ deps, realm, request, field }: Call): Promise<Bearer | undefined> {
  const { authorization } = request.headers
  const given = field('access_token')
  if (given === undefined) return bearerOf(deps, realm, authorization)
  const header = authorization === undefined ? `Bearer ${given}` : undefined
  return bearerOf(deps, realm, header)
}

const sendUserinfo = ({ reply }: Call, body: object) =>
  reply.header('cache-control', 'no-store').send(body)

const refuseUserinfo = ({ reply, realm }: Call) =>
  reply
    .code(401)
    .header('www-authenticate', `Bearer realm="${realm.name}", error="invalid_token"`)
    .header('cache-control', 'no-store')
    .send({ error: 'invalid_token', error_description: 'Token verification failed' })
