import { setTimeout as wait } from 'node:timers/promises'
import { bearer } from '../asking.ts'
import { openLive } from '../live.ts'
import { makePerson, type Reply, type SignedIn, within } from './person.ts'
import { heardForMs } from './sender.ts'
import type { Organization, World } from './world.ts'

type Headers = Record<string, string>
type Watched = { asks: (server: number) => Promise<Reply>; what: string; revokedAt: number }
let guests = 0

/** Asks every server with a revoked right, until each ran long enough to have refused it. */
async function mustEnd(
  { findings, uptimes, group, isOver }: World,
  { asks, what, revokedAt }: Watched,
) {
  const open = new Set(group.servers.keys())
  while (open.size > 0 && !isOver()) {
    for (const server of open) {
      const ranMs = uptimes.ranMs(server, revokedAt)
      const { status } = await asks(server)
      if (status >= 200 && status < 300 && ranMs > heardForMs)
        findings.fault(`${what} was heard by server ${server} ${ranMs} ms after it was revoked`)
      if (ranMs > heardForMs && status >= 400 && status < 500) {
        findings.count('revoked people refused')
        open.delete(server)
      }
    }
    await wait(500)
  }
}

const askAsRevoked = (admin: SignedIn, headers: Headers, org: string) => (server: number) =>
  admin.askWith(headers, ['GET', `mappings/api/v1/devices?organization=${org}`], server)

/** Makes an API key, uses it and revokes it. */
export async function revokeKey(world: World, { admin, name }: Organization) {
  const keys = `core/api/v1/organizations/${name}/apiKeys`
  const { status, text } = await admin.ask(['POST', keys, {}])
  if (status !== 201) return clearKeys(admin, keys)
  const { id, key } = JSON.parse(text) as { id: number; key: string }
  const asks = askAsRevoked(admin, { 'x-api-key': key }, name)
  for (const server of world.group.servers.keys()) await asks(server)
  await admin.askUntil('DELETE', `${keys}/${id}`)
  world.findings.count('API keys revoked')
  await mustEnd(world, { asks, what: 'an API key', revokedAt: Date.now() })
}

/** Deletes what earlier attempts without an answer left: a person has two keys at most. */
async function clearKeys(admin: SignedIn, keys: string) {
  const { status, text } = await admin.ask(['GET', keys])
  if (status !== 200) return
  const { content } = JSON.parse(text) as { content: { id: number }[] }
  for (const { id } of content) await admin.askUntil('DELETE', `${keys}/${id}`)
}

/** A new person looks at all devices over a live socket; then the person is removed. */
export async function revokeGuest(world: World, own: Organization) {
  const { findings, group, chance, uptimes } = world
  const users = `core/api/v1/organizations/${own.name}/users`
  const username = `guest${(guests += 1)}`
  const person = { username, password: 'a long pass phrase 7', organization: own.name }
  const body = { username, password: person.password, rolesId: [own.viewerRole] }
  const { status, text } = await own.admin.ask(['POST', users, body])
  if (status >= 300 || status === 0) return
  const { id } = JSON.parse(text) as { id: number }
  const guest = makePerson(group.servers, chance, person)
  const token = await guest.token()
  const server = chance.between(0, group.servers.length - 1)
  let revokedAt: number | undefined
  const live = await within(openLive(group.servers[server]?.own ?? ''), 10_000).catch(
    () => undefined,
  ) // it does not run
  live?.ws.addEventListener('message', ({ data }) => {
    const { op } = JSON.parse(String(data)) as { op: string }
    if (!['values', 'status', 'frame'].includes(op)) return
    findings.count('live frames of guests')
    const ranMs = revokedAt === undefined ? 0 : uptimes.ranMs(server, revokedAt)
    if (ranMs > heardForMs)
      findings.fault(`a removed person got a live frame of server ${server} after ${ranMs} ms`)
  })
  live?.send({ op: 'hello', token, organization: own.name })
  for (const [index, { deviceId: device }] of own.senders.entries())
    live?.send({ op: 'sub', id: index, kind: 'values', device, path: '**' })
  await wait(chance.between(1_000, 3_000))
  await own.admin.askUntil('DELETE', `${users}/${id}`)
  revokedAt = Date.now()
  findings.count('people removed')
  const asks = askAsRevoked(guest, bearer(token), own.name)
  await mustEnd(world, { asks, what: 'a removed person', revokedAt })
  live?.ws.close()
}
