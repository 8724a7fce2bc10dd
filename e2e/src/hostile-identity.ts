import { addressRow, type HostileRow, type Kind, many, row } from './hostile-row.ts'

const realm = '/auth/realms/main'
const protocol = `${realm}/protocol/openid-connect`
const form: Pick<Kind, 'as' | 'method' | 'sends'> = { as: 'nobody', method: 'POST', sends: 'form' }
const page: Pick<Kind, 'as' | 'method' | 'good'> = { as: 'nobody', method: 'GET', good: undefined }

/** Nearly all that a form may have. */
const most = 64 * 1024 - 1_000
const fill = (text: string) => text.repeat(Math.floor(most / text.length))
const token = { client_id: 'corvina-web-portal', grant_type: 'refresh_token', refresh_token: 'x' }
const ofTokens: Kind = { ...form, path: `${protocol}/token`, good: token, answered: 400 }
const ticket = 'urn:ietf:params:oauth:grant-type:uma-ticket'
const forgotten = `${realm}/login-actions/reset-credentials`
const authorization = `${protocol}/auth?client_id=corvina-web-portal&redirect_uri=http%3A%2F%2Flocalhost%2Fcallback%2F&response_type=code&scope=openid`
const ofAuthorization: Kind = { ...page, path: authorization, answered: 303 }
const fields = (count: number) => many(count, (n) => [`f${n}`, ''])
const refused = [200, 303, 400, 401, 403, 404, 413, 429]
const jwt = (claims: string) =>
  ['{"alg":"RS256"}', claims, fill('signature')]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
    .slice(0, most)

/** Sign-in, tokens and what people do with their own account. */
export const rows: readonly HostileRow[] = [
  row(
    { ...form, path: `${realm}/login-actions/authenticate/none`, good: {}, answered: 400 },
    'sign-in: a password that fills the form',
    () => ({ username: 'eva', password: fill('p') }),
    refused,
  ),
  row(
    { ...form, path: forgotten, good: { username: 'nobody' }, answered: 200 },
    'forgotten password: a name that fills the form',
    () => ({ username: fill('a') }),
    refused,
  ),
  row(
    { ...form, path: `${realm}/login-actions/action-token/x`, good: {}, answered: 410 },
    'a link of a mail: a password that fills the form',
    () => ({ password: fill('p'), confirmation: fill('p').slice(0, 100) }),
    [...refused, 410],
  ),
  row(ofTokens, 'tokens: 8,000 fields', () => fields(8_000), refused),
  row(
    ofTokens,
    'tokens: a refresh token of 60 kB',
    () => ({ ...token, refresh_token: fill('r.') }),
    refused,
  ),
  row(
    ofTokens,
    'tokens: a code and a verifier of 30 kB',
    () => ({
      client_id: token.client_id,
      grant_type: 'authorization_code',
      code: fill('c').slice(0, most / 2),
      code_verifier: fill('v').slice(0, most / 2),
    }),
    refused,
  ),
  row(
    ofTokens,
    'tickets: a token with 40 kB of claims',
    () => ({
      grant_type: ticket,
      audience: 'corvina-platform',
      subject_token: jwt(`{"a":[${fill('1,').slice(0, 40_000)}1]}`),
    }),
    refused,
  ),
  row(
    ofTokens,
    'tickets: 4,000 permissions',
    () => [
      ['grant_type', ticket],
      ['audience', 'corvina-platform'],
      ...many(4_000, (n) => ['permission', `${n}`]),
    ],
    refused,
  ),
  row(
    ofTokens,
    'service accounts: a secret that fills the form',
    () => ({
      grant_type: 'client_credentials',
      client_id: 'x',
      client_secret: fill('s'),
    }),
    refused,
  ),
  row(
    { ...form, path: `${protocol}/logout`, good: {}, answered: 303 },
    'signing out: a hint of 60 kB',
    () => ({
      id_token_hint: jwt('{}').slice(0, 55_000),
      post_logout_redirect_uri: `http://${fill('a.').slice(0, 5_000)}`,
    }),
    refused,
  ),
  row(
    { ...form, path: `${protocol}/auth`, good: { client_id: 'x' }, answered: 303 },
    'sign-in by a form of 60 kB of scopes',
    () => ({ client_id: token.client_id, scope: fill('s ') }),
    refused,
  ),
  addressRow(
    ofAuthorization,
    'sign-in: 1,800 scopes',
    () => `${authorization}${'%20s'.repeat(1_800)}`,
  ),
  addressRow(
    ofAuthorization,
    'sign-in: a state and a nonce of 3 kB',
    () => `${authorization}&state=${'s'.repeat(3_000)}&nonce=${'n'.repeat(3_000)}`,
  ),
  addressRow(
    ofAuthorization,
    'sign-in: claims nested 400 deep',
    () => `${authorization}&claims=${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
  ),
  addressRow(
    { ...page, path: `${realm}/.well-known/openid-configuration`, answered: 200 },
    'a realm with a name of 7,000 characters',
    () => `/auth/realms/${'r'.repeat(7_000)}/.well-known/openid-configuration`,
  ),
]
