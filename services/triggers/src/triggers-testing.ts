import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alarms } from '@longreach/alarms'
import { alarmsContract } from '@longreach/alarms/contract'
import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { addPerson, coreAuthorizer, identityForTests, seed } from '@longreach/core/testing'
import type { Client } from '@longreach/kit/client'
import { publishAll } from '@longreach/kit/events'
import type { Caller } from '@longreach/kit/service'
import { testServer } from '@longreach/kit/testing'
import { testMailServer } from '@longreach/mail/mail-testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { notifications } from '@longreach/notifications'
import { notificationsContract } from '@longreach/notifications/contract'
import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import { triggersContract } from './contract.ts'
import type { TriggersDb } from './database.ts'
import type { Firing } from './firing-contract.ts'
import { triggers } from './service.ts'

/** Times of waiting for what runs beside the calls; the machine may be busy. */
export const patience = { timeout: 60_000, interval: 50 }
export const organization = 'nordwerk.service'
export const query = { organization }
export const path = 'Oven:1/temperature'

/** Web server that keeps what it is sent, and answers as a test wants. */
async function webhookReceiver() {
  const calls: { method: string; url: string; headers: Record<string, unknown>; body: string }[] =
    []
  const answer = { status: 200 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      calls.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(answer.status).end('received')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens
  return {
    calls,
    answer,
    url: `http://127.0.0.1:${port}/hook`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Server of triggers with all services that it calls, people, a device, and a receiver of webhooks. */
export async function triggersTest() {
  const post = await testMailServer()
  const hook = await webhookReceiver()
  const server = await testServer(
    [identityForTests, core, mappings, alarms, notifications, triggers],
    { admit: coreAuthorizer, now: () => new Date() },
  )
  server.site.mail = post.settings
  server.site.outside = { http: true, networks: ['127.0.0.0/8'] }
  const { people, organizations } = await seed(server)
  const running = await server.start()
  const db = server.database.db.withSchema('triggers') as unknown as Kysely<TriggersDb> // its tables
  const ofMappings = (caller: Caller) => server.as(caller, mappingsContract)
  const newDevice = (label: string, org = organization) =>
    ofMappings(org === organization ? people.administrator : people.neighbour).createDevice({
      query: { organization: org },
      body: { label },
    })
  const device = await newDevice('Oven 7')
  const as = (caller: Caller) => server.as(caller, triggersContract)
  const admin = as(people.administrator)
  return {
    server,
    db,
    post,
    hook,
    people,
    device,
    newDevice,
    addPerson: (username: string, ...roles: string[]) =>
      addPerson(server, people.owner, { org: organizations.service, username, roles }),
    /** Takes a role away from everybody. */
    dropRole: (name: string) => dropRole(server.as(people.owner, coreContract), name),
    as,
    admin,
    core: (caller: Caller) => server.as(caller, coreContract),
    alarms: server.as(people.administrator, alarmsContract),
    notifications: server.as(people.administrator, notificationsContract),
    mappings: ofMappings(people.administrator),
    internal: server.asService(triggersContract),
    /** Trigger with a webhook to the receiver. */
    body: (more: object = {}) => ({
      name: 'Too hot',
      triggerData: { policy: band, actions: [webhook(hook.url)] },
      ...more,
    }),
    create: (more: object = {}) =>
      admin.createTrigger({
        query,
        body: {
          name: 'Too hot',
          triggerData: { policy: band, actions: [webhook(hook.url)] },
          ...more,
        },
      }),
    /** Publishes firings, as platform does it. */
    fire: (triggerId: string, ...given: Partial<Firing>[]) =>
      server.database.db.transaction().execute((tx) =>
        publishAll(
          tx,
          triggersContract.events.triggerFired,
          given.map((one) => firing(triggerId, { deviceId: device.id, ...one })),
        ),
      ),
    runsOf: (id: string) => runsOf(admin, id),
    /** Runs of a trigger when there are so many and all have ended. */
    async runs(id: string, count: number) {
      const read = () => runsOf(admin, id)
      await expect
        .poll(async () => (await read()).filter(({ isDone }) => isDone).length, patience)
        .toBe(count)
      return read()
    },
    async close() {
      await running.close()
      await server.close()
      await hook.close()
      await post.close()
    },
  }
}

const runsOf = async (calls: Client<typeof triggersContract>, id: string) =>
  (await calls.runsOfTrigger({ params: { id }, query })).data

/** Deletes a role, also where people have it. */
async function dropRole(ofCore: Client<typeof coreContract>, name: string) {
  const params = { org: organization }
  const { content } = await ofCore.roles({ params, query: { pageSize: 500 } })
  const role = content.find((one) => one.name === name)
  const which = { ...params, role: String(role?.id) }
  await ofCore.deleteRole({ params: which, query: { force: true } })
}

export type TriggersTest = Awaited<ReturnType<typeof triggersTest>>

export const band = { type: 'ANALOG_BAND', modelPathMatcher: path, min: 50 }
export const webhook = (url: string, more: object = {}) => ({
  type: 'WEBHOOK_ACTION' as const,
  webhookConfig: { url },
  ...more,
})

/** Time of the newest firing, so that each is later than the one before. */
let newest = Date.now() - 600_000

/** Firing of a trigger by a temperature of 60. */
function firing(triggerId: string, more: Partial<Firing> = {}): Firing {
  newest += 10
  const t = more.t ?? newest
  return {
    triggerId,
    version: 1,
    deviceId: '',
    deviceLabel: 'Oven 7',
    orgResourceId: organization,
    groups: [],
    instance: path,
    kind: 'fired',
    t,
    until: null,
    heardAt: Date.now(),
    isAgain: false,
    since: t,
    inputs: [{ path, value: 60, isCause: true }],
    conditions: [{ place: 'policy', path, type: 'ANALOG_BAND', truth: true, since: t, timeMs: 0 }],
    ...more,
  }
}
