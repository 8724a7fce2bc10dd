import { createHash, randomBytes } from 'node:crypto'
import { asker, bearer, type Ask } from '../asking.ts'
import { testMailServer } from '../attack-mail.ts'
import { startLongreach } from '../longreach.ts'

export const password = 'lake-anvil-violet-7'
const clientId = process.env['KEYCLOAK_ADMIN_CLIENT_ID'] ?? ''
const secret = process.env['KEYCLOAK_ADMIN_CLIENT_SECRET'] ?? ''
/** Address of Keycloak, from `npm run keycloak`. */
export const keycloakUrl = process.env['KEYCLOAK_URL'] ?? ''

/** Management of Keycloak, as its operator. */
export async function administer<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${keycloakUrl}/admin/realms${path}`, {
    method,
    headers: { ...bearer(await adminToken()), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function adminToken() {
  const answer = await fetch(`${keycloakUrl}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

type Wish = {
  /** The root organization; a random part is added, since Keycloak serves all files. */
  name: string
  /** Set-up in Keycloak before the organization is made; returns further settings. */
  before?: (realm: string) => Promise<Record<string, string>>
}
export type KeycloakWorld = Awaited<ReturnType<typeof keycloakWorld>>

/** A Longreach whose people are in Keycloak, with its owner, and a mail server that both send through. */
export async function keycloakWorld({ name, before = async () => ({}) }: Wish) {
  const realm = `${name}-${randomBytes(3).toString('hex')}`
  const mail = await testMailServer()
  const more = await before(realm)
  const longreach = await startLongreach({
    env: {
      KEYCLOAK_URL: keycloakUrl,
      KEYCLOAK_ADMIN_CLIENT_ID: clientId,
      KEYCLOAK_ADMIN_CLIENT_SECRET: secret,
      SETUP_ORGANIZATION: realm,
      SETUP_USER: `owner@${realm}.example`,
      SETUP_PASSWORD: password,
      SMTP_URL: mail.url,
      MAIL_FROM: 'Longreach <noreply@longreach.test>',
      ...more,
    },
  })
  await longreach.printed(/made the organization/)
  return {
    realm,
    mail,
    longreach,
    url: longreach.url,
    /** Calls as a person, with a token that Keycloak made now. */
    as: async (username: string): Promise<Ask> =>
      asker(
        longreach.url,
        bearer((await tokensOf({ realm, url: longreach.url, username })).access_token),
      ),
    async close() {
      await longreach.stop()
      await mail.close()
      await administer('DELETE', `/${realm}`)
    },
  }
}

/** The realm as Keycloak keeps it. */
type RealmThere = {
  smtpServer: Record<string, string>
  bruteForceProtected: boolean
  revokeRefreshToken: boolean
  passwordPolicy: string
  attributes: Record<string, string>
}

/** Lets Keycloak mail through the test's server, as an operator does in its console. */
export async function letKeycloakMail(realm: string, mailUrl: string) {
  const { hostname, port } = new URL(mailUrl)
  const known = await administer<RealmThere>('GET', `/${realm}`)
  const smtpServer = { host: hostname, port, from: 'keycloak@example.org' }
  await administer('PUT', `/${realm}`, { ...known, smtpServer })
}

type Tokens = {
  access_token: string
  refresh_token: string
  id_token: string
  expires_in: number
  scope: string
}
type Signing = {
  realm: string
  /** The portal's address. */
  url: string
  username: string
  password?: string
  scope?: string
  more?: Record<string, string>
}

export const protocolOf = (realm: string) =>
  `${keycloakUrl}/realms/${realm}/protocol/openid-connect`

/** Code flow with PKCE at Keycloak's own page, as a browser goes through it. */
export async function signInThere({ realm, url, username, scope = 'openid', ...rest }: Signing) {
  const verifier = randomBytes(32).toString('base64url')
  const own = { client_id: 'portal', redirect_uri: `${url}/` }
  const query = new URLSearchParams({
    ...own,
    scope,
    response_type: 'code',
    response_mode: 'fragment',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...rest.more,
  })
  const jar = new Map<string, string>()
  const page = await visit(`${protocolOf(realm)}/auth?${query}`, jar)
  const submitTo = (html: string) => async (fields: Record<string, string>) =>
    visit(actionIn(html), jar, new URLSearchParams(fields))
  const asked = { username, password: rest.password ?? password }
  const landed = await submitTo(await page.text())(asked)
  const location = landed.headers.get('location') ?? ''
  const html = await landed.text()
  const code = new URLSearchParams(location.split('#')[1]).get('code')
  /** Fills the next form, if there is one. */
  return { code, verifier, own, html, location, submit: submitTo(html) }
}

const actionIn = (html: string) => {
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
  if (action === undefined) throw new Error(`No form in ${html.slice(0, 500)}`)
  return action.replaceAll('&amp;', '&')
}

/** Answer of Keycloak's token endpoint. */
export const tokenCall = async (realm: string, form: Record<string, string>) => {
  const answer = await fetch(`${protocolOf(realm)}/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return { status: answer.status, body: (await answer.json()) as Tokens & { error?: string } }
}

/** The tokens of a person who signs in at Keycloak. */
export async function tokensOf(signing: Signing): Promise<Tokens> {
  const { code, verifier, own, html } = await signInThere(signing)
  if (code === null) throw new Error(`No code: ${html.replaceAll(/\s+/g, ' ').slice(0, 2_000)}`)
  const form = { ...own, grant_type: 'authorization_code', code, code_verifier: verifier }
  const { status, body } = await tokenCall(signing.realm, form)
  if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Follow redirects within Keycloak, with its cookies. */
async function visit(
  address: string,
  jar: Map<string, string>,
  form?: URLSearchParams,
): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(address, {
    redirect: 'manual',
    headers: { cookie },
    ...(form && { method: 'POST', body: form }),
  })
  for (const one of answer.headers.getSetCookie()) {
    const [name = '', ...value] = (one.split(';')[0] ?? '').split('=')
    jar.set(name, value.join('='))
  }
  const next = answer.headers.get('location')
  if (next === null || !next.startsWith(keycloakUrl)) return answer
  return visit(next, jar)
}

export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >

/** A permission ticket of ours for a token of Keycloak. */
export const ticketFor = (url: string, realm: string, token: string, permission = realm) =>
  fetch(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: bearer(token),
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'corvina-platform',
      permission,
    }),
  })
