import { spawn } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { identity } from '@longreach/identity'
import { client } from '@longreach/kit/client'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import { createServerTokens, tokenVerifier } from '@longreach/server/tokens'
import { argument, print, say } from './report.ts'
import { bareProvider } from './tokens/bare-provider.ts'
import { spentMs } from './tokens/spent.ts'

// npm run bench -- tokens [--seconds=4] [--lanes=32]
// Refreshing a session and exchanging its token for a permission ticket, against oidc-provider alone.
// Ours: on PostgreSQL, looks the session, the account and the organization's rights up every time.
// Peer: the same library, one client, the same kind of tokens and keys, on the same PostgreSQL through
// the plainest adapter. For the ticket it does the same as a grant of its own: who holds the token, does
// the session live, what may they do (one plain query), a signed token. A signed token for a client's
// secret, for which nothing is looked up at all, stands beside it.
// Server and load are two processes on the same machine.
const seconds = argument('seconds', 4)
const count = argument('lanes', 32)
const realm = 'nordwerk'
const password = 'lake-anvil-violet-7'

type Lane = { form: string; authorization?: string; token: string }

type Rate = { perSecond: number; cpuMs: number }

/** Calls a second, and the CPU that one takes of this process and of PostgreSQL: the load's own is not in it. */
async function rate(url: string, lanes: Lane[]): Promise<Rate> {
  const script = fileURLToPath(new URL('tokens/load.ts', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ url, seconds, lanes }))
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  const before = spentMs(dataDir)
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error('the load ended early')
  const { perSecond, done } = JSON.parse(text) as { perSecond: number; done: number }
  return { perSecond, cpuMs: (spentMs(dataDir) - before) / done }
}

/** Sign in by the plain form, and exchange the session for tokens. */
async function session(origin: string) {
  const at = (way: string) => `${origin}/auth/realms/${realm}/protocol/openid-connect/${way}`
  const form = { emi_username: `owner/${realm}`, emi_password: password, ajax: '1' }
  const signedIn = await fetch(`${origin}/manage/access/login`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const cookies = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
  const code_verifier = randomBytes(32).toString('base64url')
  const ask = {
    client_id: 'portal',
    redirect_uri: `${origin}/`,
    response_type: 'code',
    response_mode: 'fragment',
    scope: `openid org:${realm}`,
    prompt: 'none',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const asked = await fetch(`${at('auth')}?${new URLSearchParams(ask)}`, {
    headers: { cookie: cookies.join('; ') },
    redirect: 'manual',
  })
  const fragment = new URLSearchParams((asked.headers.get('location') ?? '').split('#')[1])
  const answer = await fetch(at('token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: fragment.get('code') ?? '',
      client_id: 'portal',
      redirect_uri: `${origin}/`,
      code_verifier,
    }),
  })
  return (await answer.json()) as { access_token: string; refresh_token: string }
}

/** An access token of the peer, for a refresh token. */
async function renewed(url: string, token: string) {
  const fields = { grant_type: 'refresh_token', client_id: 'portal', refresh_token: token }
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
  return ((await answer.json()) as { access_token: string }).access_token
}

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const server = await startPostgres({ dataDir })
const database = openDatabase(server.connection, () => undefined) // ends with the server below
const secrets = createSecrets(Buffer.alloc(32, 1))
const site = { origin: 'http://localhost', dataDir, mqttPort: 0 }
const tokens = createServerTokens(secrets)
const { app } = await serve([identity, core], {
  ...database,
  secrets,
  site,
  authenticate: (fetch) => tokenVerifier({ secrets, site, fetch }),
  admit: () => async () => undefined,
  serviceToken: tokens.ofService,
})
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const bare = await bareProvider(database.pool, privateKey.export({ format: 'jwk' }))
bare.onError((error) => say(String(error)))
const peer = http.createServer((request, answer) => void bare.handle(request, answer))

try {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  site.origin = address.replace('127.0.0.1', 'localhost')
  await new Promise<void>((listening) => peer.listen(0, '127.0.0.1', listening))
  const { port } = peer.address() as { port: number }
  const house = { authorization: `Bearer ${await tokens.ofService('bench')}` }
  await client(coreContract, fetchOf(app, undefined, house)).createRoot({
    body: { name: realm, label: realm, owner: { username: 'owner', password } },
  })
  const sessions: Awaited<ReturnType<typeof session>>[] = []
  for (let index = 0; index < count; index++) sessions.push(await session(site.origin))
  const ours = `${address}/auth/realms/${realm}/protocol/openid-connect/token`
  const theirs = `http://127.0.0.1:${port}/token`

  const uma = 'urn:ietf:params:oauth:grant-type:uma-ticket'
  const ticket = new URLSearchParams({ grant_type: uma, audience: 'platform', permission: realm })
  const tickets = sessions.map(({ access_token }) => ({
    form: ticket.toString(),
    authorization: `Bearer ${access_token}`,
    token: '',
  }))
  const renewals = (of: string[], id: string) =>
    of.map((token) => ({
      form: `grant_type=refresh_token&client_id=${id}&refresh_token={token}`,
      token,
    }))
  const secret = `Basic ${Buffer.from('robot:secret').toString('base64')}`
  const signed = sessions.map(() => ({
    form: 'grant_type=client_credentials&scope=api',
    authorization: secret,
    token: '',
  }))
  const ownRenewals = async () => {
    // One after the other: many sign-ins of one person at the same moment are held up.
    const made: string[] = []
    for (let index = 0; index < count; index++) {
      made.push((await session(site.origin)).refresh_token)
    }
    return renewals(made, 'portal')
  }
  const bareRenewals = async () => renewals(await bare.refreshTokens(count), 'portal')
  const access = await Promise.all(
    (await bare.refreshTokens(count)).map((token) => renewed(theirs, token)),
  )
  const same = access.map((token) => ({
    form: `grant_type=${encodeURIComponent(uma)}&client_id=portal&permission=${realm}&token=${token}`,
    token: '',
  }))

  await rate(ours, tickets)
  await rate(theirs, same)
  await rate(theirs, signed)
  say('warmed up')
  // Turn by turn, so that whatever else the machine does hits both.
  const kinds = {
    ticket: async () => rate(ours, tickets),
    same: async () => rate(theirs, same),
    signed: async () => rate(theirs, signed),
    own: async () => rate(ours, await ownRenewals()),
    bare: async () => rate(theirs, await bareRenewals()),
  }
  type Kind = keyof typeof kinds
  const figures = new Map<Kind, Rate[]>()
  for (let round = 0; round < 2; round++) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      figures.set(kind, [...(figures.get(kind) ?? []), await kinds[kind]()])
    }
  }
  const mean = (kind: Kind, of: keyof Rate) => {
    const all = figures.get(kind) ?? []
    return all.reduce((sum, one) => sum + one[of], 0) / all.length
  }
  const rows = (what: string, own: Kind, other: Kind, goal: string) => [
    {
      what,
      unit: '/s',
      ours: mean(own, 'perSecond'),
      peers: { 'oidc-provider alone': mean(other, 'perSecond') },
      better: 'more' as const,
      goal,
    },
    {
      what: `${what}, CPU a call`,
      unit: 'ms',
      ours: mean(own, 'cpuMs'),
      peers: { 'oidc-provider alone': mean(other, 'cpuMs') },
      better: 'less' as const,
      goal: '0.80×',
    },
  ]
  print(`Tokens, ${count} at a time, one process`, [
    ...rows('permission ticket', 'ticket', 'same', '≥ 500/s, 0.80×'),
    ...rows('ticket against a bare signed token', 'ticket', 'signed', ''),
    ...rows('refresh', 'own', 'bare', '≥ 300/s, 0.80×'),
  ])
} finally {
  await app.close()
  peer.close()
  await database.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
