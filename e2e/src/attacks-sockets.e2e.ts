import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from './asking.ts'
import { type Calls, signInByHttp, tokensByHttp } from './calls.ts'
import { openLive } from './live.ts'
import { type Longreach, startLongreach } from './longreach.ts'

// No live socket outlives what it was opened with: a session, an account, a right, an organization, a key.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
/** Without news sockets are looked at every 60 s: before half of that only news can have closed one. */
const byNewsMs = 30_000

let longreach: Longreach
let call: Calls
let role: number
beforeAll(async () => {
  longreach = await startLongreach({ env })
  call = await signInByHttp(longreach.url, owner)
  const [name, label] = ['watchers', 'Watchers']
  const rules = [{ resource: 'devices', actions: ['read'] }]
  role = (await call<{ id: number }>('POST', `${main}/roles`, { name, label, rules })).id
  await call('POST', main, { name: 'branch', label: 'Branch' })
})
afterAll(() => longreach?.stop())

const main = 'core/api/v1/organizations/main'

async function watch(token: string, organization: string) {
  const socket = await openLive(longreach.url)
  socket.send({ op: 'hello', token, organization })
  await socket.next('ready')
  return socket
}

/** Somebody with that right alone, who watches over two sockets of one session. */
async function watcher(username: string) {
  const person = await join(call, { organization: 'main', username, roles: ['watchers'] })
  const { access_token: token } = await tokensByHttp(longreach.url, person)
  return { ...person, sockets: [await watch(token, 'main'), await watch(token, 'main')] }
}
type Socket = Awaited<ReturnType<typeof openLive>>

async function expectClosedBy(
  act: () => Promise<unknown>,
  sockets: readonly Socket[],
  allowed: readonly number[],
) {
  const begun = Date.now()
  await act()
  const codes = await Promise.all(sockets.map(({ closed }) => closed))
  expect(codes.filter((code) => !allowed.includes(code))).toEqual([])
  expect(Date.now() - begun).toBeLessThan(byNewsMs)
}

async function expectOpen({ send, next, ws }: Socket) {
  send({ op: 'ping' })
  await next('pong')
  ws.close()
}

test.each([
  {
    what: 'a session that is ended',
    codes: [4401],
    act: async (id: number) => {
      const path = `${main}/users/${id}`
      const { sessions } = await call<{ sessions: { id: string }[] }>('GET', `${path}/security`)
      for (const one of sessions) await call('DELETE', `${path}/sessions/${one.id}`)
    },
  },
  {
    what: 'an account that is disabled',
    // Rights and session end together, and the first event closes the socket.
    codes: [4401, 4403],
    act: (id: number) => call('PUT', `${main}/users/${id}`, { enabled: false }),
  },
  {
    what: 'a person who is taken out of the organization',
    codes: [4401, 4403],
    act: (id: number) => call('DELETE', `${main}/users/${id}`),
  },
])('$what closes each of their sockets, and nobody else’s', async ({ what, codes, act }) => {
  const name = what.replaceAll(/\W/g, '')
  const [one, other] = [await watcher(name), await watcher(`${name}2`)]
  await expectClosedBy(() => act(one.id), one.sockets, codes)
  for (const socket of other.sockets) await expectOpen(socket)
})

test('a right that is taken away closes the sockets of who had it by that role', async () => {
  const { sockets } = await watcher('righted')
  const { access_token: token } = await tokensByHttp(longreach.url, owner)
  const kept = await watch(token, 'main')
  await expectClosedBy(
    () => call('PUT', `${main}/roles/${role}`, { enabled: false }),
    sockets,
    [4403],
  )
  await expectOpen(kept)
  await call('PUT', `${main}/roles/${role}`, { enabled: true })
})

test('an API key that is revoked closes its sockets', async () => {
  const key = await call<{ id: number; key: string }>('POST', `${main}/apiKeys`, {})
  const [one, two] = [await watch(key.key, 'main'), await watch(key.key, 'main')]
  await expectClosedBy(() => call('DELETE', `${main}/apiKeys/${key.id}`), [one, two], [4401])
})

test('an organization that is deleted closes the sockets of its people', async () => {
  const { access_token: token } = await tokensByHttp(longreach.url, owner, 'openid org:main.branch')
  const [inside, outside] = [await watch(token, 'main.branch'), await watch(token, 'main')]
  await expectClosedBy(
    () => call('DELETE', 'core/api/v1/organizations/main.branch'),
    [inside],
    [4403],
  )
  await expectOpen(outside)
})
