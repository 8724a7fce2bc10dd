import { canPath } from '@longreach/authorization/can-path'
import { coreContract } from '@longreach/core/contract'
import { core } from '@longreach/core'
import { addPerson, identityForTests, seed } from '@longreach/core/testing'
import { client } from '@longreach/kit/client'
import { openDatabase } from '@longreach/kit/database'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { missedEvents } from '@longreach/kit/event-loops'
import { serve } from '@longreach/kit/serve'
import type { Authorizer, Caller } from '@longreach/kit/service'
import { testDatabase } from '@longreach/kit/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cachedAuthorizer } from './authorizer.ts'

const tokenOf = (caller: Caller) => Buffer.from(JSON.stringify(caller)).toString('base64url')
const house: Caller = { kind: 'service', sub: 'test', username: 'test', realm: '' }

let database: Awaited<ReturnType<typeof testDatabase>>
let here: Awaited<ReturnType<typeof serverProcess>>
let there: typeof here
beforeAll(async () => {
  database = await testDatabase()
  here = await serverProcess()
  there = await serverProcess()
})
afterAll(async () => {
  for (const one of [here, there]) await one.close()
  await database.close()
})

/** Server as each process composes it: its own connections and its own cache of rights. */
async function serverProcess() {
  const own = openDatabase({ ...database.connection, max: 8 }, () => undefined) // a dropped idle connection ends with its test
  const authorizers: ReturnType<typeof cachedAuthorizer>[] = []
  const { app, start } = await serve([identityForTests, core], {
    ...own,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    site: { origin: 'http://portal.test', dataDir: '/nonexistent', mqttPort: 0 },
    authenticate: () => async (token) =>
      JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller,
    admit: (fetch): Authorizer => {
      const made = cachedAuthorizer(fetch)
      authorizers.push(made)
      return made.admit
    },
    serviceToken: () => tokenOf(house),
    onEvent: (topic) => {
      if (!topic.startsWith('core.') && topic !== missedEvents) return
      for (const one of authorizers) one.forget()
    },
  })
  await app.ready()
  const running = await start()
  const as = (caller: Caller) => {
    const headers = { authorization: `Bearer ${tokenOf(caller)}` }
    return client(coreContract, fetchOf(app, undefined, headers))
  }
  return {
    asked: {
      as: as as never,
      asService: (() => as(house)) as never,
    } satisfies Parameters<typeof seed>[0],
    as,
    admit: (caller: Caller, org: string) => authorizers[0]?.admit(caller, org),
    async close() {
      await running.close()
      await app.close()
      await own.db.destroy()
    },
  }
}

/** Waits until `what` is true. Five seconds are promised; a busy machine gets more. */
async function within5s(what: () => Promise<boolean>) {
  const end = performance.now() + 30_000
  while (!(await what())) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

test('a change of a role holds in every process within five seconds [A-05] [T-10]', async () => {
  const { people, organizations } = await seed(here.asked)
  const owner = here.as(people.owner)
  const params = { org: organizations.service.resourceId }
  const role = await owner.createRole({
    params,
    body: { name: 'readers', label: 'Readers', rules: [{ resource: 'roles', actions: ['read'] }] },
  })
  const ruth = await addPerson(here.asked, people.owner, {
    org: organizations.service,
    username: 'ruth',
    roles: ['readers'],
  })
  const at = { params: { ...params, role: role.id } }
  const mayThere = async () => {
    const asked = there.as(ruth).roles({ params, query: {} })
    return asked.then(
      () => true,
      () => false, // 403 or 404: not allowed
    )
  }
  expect(await within5s(mayThere)).toBe(true)
  await owner.updateRole({ ...at, body: { enabled: false } })
  expect(await within5s(async () => !(await mayThere()))).toBe(true)
  const devices = { resource: 'devices' as const, actions: ['read' as const] }
  await owner.updateRole({
    ...at,
    body: {
      enabled: true,
      type: 'DEVICE',
      rules: [devices],
      modelPathPermissions: [{ modelPath: 'Oven:1/**', read: true }],
    },
  })
  const sees = async (path: string) => {
    const admission = await there.admit(ruth, params.org)
    return admission !== undefined && canPath(admission.capability, 'read', [], path)
  }
  expect(await within5s(() => sees('Oven:1/speed'))).toBe(true)
  expect(await sees('Press:1/speed')).toBe(false)
  const paths = [{ modelPath: 'Press:1/**', read: true }]
  await owner.setModelPathPermissions({ ...at, body: paths })
  expect(await within5s(() => sees('Press:1/speed'))).toBe(true)
  expect(await sees('Oven:1/speed')).toBe(false)
})
