import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { promisify } from 'node:util'
import { Provider } from 'oidc-provider'
import type { Pool } from 'pg'

type Payload = Record<string, unknown> & { grantId?: string; uid?: string }
const resource = 'urn:bench:api'

/** The plainest adapter on PostgreSQL: one table, one statement a call. */
const adapterOn = (pool: Pool) => (model: string) => {
  const read = async (column: 'id' | 'uid', value: string) => {
    const text = `select payload, consumed from bare_record where model = $1 and ${column} = $2`
    const { rows } = await pool.query<{ payload: Payload; consumed: number | null }>(text, [
      model,
      value,
    ])
    const [row] = rows
    return row && { ...row.payload, ...(row.consumed !== null && { consumed: row.consumed }) }
  }
  return {
    find: (id: string) => read('id', id),
    findByUid: (uid: string) => read('uid', uid),
    findByUserCode: async () => undefined,
    async upsert(id: string, payload: Payload) {
      await pool.query(
        `insert into bare_record (model, id, uid, grant_id, payload) values ($1, $2, $3, $4, $5)
         on conflict (model, id) do update set payload = excluded.payload`,
        [model, id, payload.uid, payload.grantId, JSON.stringify(payload)],
      )
    },
    async consume(id: string) {
      const now = Math.floor(Date.now() / 1000)
      const text = 'update bare_record set consumed = $3 where model = $1 and id = $2'
      await pool.query(text, [model, id, now])
    },
    async destroy(id: string) {
      await pool.query('delete from bare_record where model = $1 and id = $2', [model, id])
    },
    async revokeByGrantId(grantId: string) {
      await pool.query('delete from bare_record where grant_id = $1', [grantId])
    },
  }
}

/** oidc-provider as its documentation has it: signed access tokens, rotating refresh tokens, sessions. */
export async function bareProvider(pool: Pool, key: JsonWebKey) {
  await pool.query(
    `create table bare_record (model text, id text, uid text, grant_id text, payload jsonb,
     consumed bigint, primary key (model, id))`,
  )
  await pool.query('create index on bare_record (model, uid)')
  await pool.query('create index on bare_record (grant_id)')
  const redirect_uris = ['https://client.example/']
  const provider = new Provider('http://localhost', {
    adapter: adapterOn(pool),
    jwks: { keys: [{ ...key, kid: 'k', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['bench'] },
    scopes: ['openid', 'api'],
    clients: [
      {
        client_id: 'portal',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', ticketName],
        redirect_uris,
      },
      {
        client_id: 'robot',
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
    ],
    clientAuthMethods: ['none', 'client_secret_basic'],
    rotateRefreshToken: true,
    expiresWithSession: () => true,
    issueRefreshToken: () => true,
    extraTokenClaims: (_: unknown, token: { sessionUid?: string }) => ({ sid: token.sessionUid }),
    findAccount: async (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub }),
    }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: 'api',
          accessTokenTTL: 300,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
  await pool.query(
    'create table bare_right (account text, organization text, scopes jsonb, primary key (account, organization))',
  )
  await pool.query("insert into bare_right values ('anna', 'nordwerk', $1)", [
    JSON.stringify(scopes),
  ])
  ticketGrant(provider, pool, key)
  return {
    handle: provider.callback(),
    onError: (tell: (error: unknown) => void) =>
      provider.on('grant.error', (_, error: unknown) =>
        tell((error as { error_detail?: string }).error_detail),
      ),
    /** As many signed-in sessions, with a refresh token each. */
    async refreshTokens(count: number) {
      const made: string[] = []
      for (let index = 0; index < count; index++) made.push(await refreshToken(provider))
      return made
    },
  }
}

const ticketName = 'urn:ietf:params:oauth:grant-type:uma-ticket'
const scopes = ['devices', 'models', 'alarms', 'dashboards', 'users', 'roles'].flatMap((one) =>
  ['read', 'create', 'update', 'delete'].map((action) => `iam.${one}.${action}`),
)

type GrantContext = { body: unknown; oidc: { params: Record<string, string> } }

type Claims = { sub: string; sid: string; aud: string; exp: number }
const bytes = (text: string) => Buffer.from(text, 'base64url')
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A ticket as a grant of the library: the same checks as ours, with one plain query for the rights. */
function ticketGrant(provider: Provider, pool: Pool, key: JsonWebKey) {
  const { Session } = provider as unknown as {
    Session: { findByUid(uid: string): Promise<{ accountId?: string } | undefined> }
  }
  const register = provider as unknown as {
    registerGrantType(
      name: string,
      handler: (ctx: GrantContext) => Promise<void>,
      parameters: string[],
    ): void
  }
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  const signed = async (claims: object) => {
    const text = `${encoded({ alg: 'RS256', kid: 'k', typ: 'ticket+jwt' })}.${encoded(claims)}`
    const made = await promisify(sign)('sha256', Buffer.from(text), privateKey)
    return `${text}.${made.toString('base64url')}`
  }
  const answer = async (ctx: GrantContext) => {
    const { token = '', permission } = ctx.oidc.params
    const [head = '', body = '', mac = ''] = token.split('.')
    const good = verify('sha256', Buffer.from(`${head}.${body}`), publicKey, bytes(mac))
    const { sub, sid, aud, exp } = JSON.parse(bytes(body).toString()) as Claims
    if (!good || aud !== 'api' || exp < Date.now() / 1000) throw new Error('no token')
    const session = await Session.findByUid(sid)
    if (session?.accountId !== sub) throw new Error('no session')
    const { rows } = await pool.query<{ scopes: string[] }>(
      'select scopes from bare_right where account = $1 and organization = $2',
      [sub, permission],
    )
    const permissions = rows.map((row) => ({ rsname: permission, scopes: row.scopes }))
    ctx.body = {
      access_token: await signed({
        iss: 'http://localhost',
        aud: 'platform',
        sub,
        sid,
        iat: Math.floor(Date.now() / 1000),
        exp: Math.floor(Date.now() / 1000) + 300,
        jti: randomUUID(),
        authorization: { permissions },
      }),
      expires_in: 300,
      token_type: 'Bearer',
    }
  }
  register.registerGrantType(ticketName, answer, ['token', 'permission'])
}

// The library ships no types; what is used of it here is written down for the identity service only.
type Loose = Record<string, unknown> & { save: (ttl?: number) => Promise<string> }
type Maker = new (facts?: object) => Loose
type Models = {
  Session: Maker
  Grant: Maker
  RefreshToken: Maker
  Client: { find(id: string): Promise<unknown> }
}

async function refreshToken(provider: unknown) {
  const { Session, Grant, RefreshToken, Client } = provider as Models
  const accountId = 'anna'
  const grant = new Grant({ accountId, clientId: 'portal' })
  const widen = grant as unknown as {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
  }
  widen.addOIDCScope('openid')
  widen.addResourceScope(resource, 'api')
  const grantId = await grant.save(3600)
  const session = new Session()
  const signedIn = session as unknown as {
    uid: string
    loginAccount(facts: object): void
    grantIdFor(client: string, grant: string): void
  }
  signedIn.loginAccount({ accountId })
  signedIn.grantIdFor('portal', grantId)
  await session.save(3600)
  const token = new RefreshToken({
    accountId,
    client: await Client.find('portal'),
    grantId,
    gty: 'authorization_code',
    scope: 'openid api',
    resource,
    sessionUid: signedIn.uid,
    expiresWithSession: true,
    authTime: Math.floor(Date.now() / 1000),
  })
  return token.save()
}
