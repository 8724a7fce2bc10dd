import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineContract } from './contract.ts'
import { AppError } from './errors.ts'
import { jobEndpoints } from './job-contract.ts'
import { createJobRunner } from './job-runner.ts'
import { createOwnProcess, processLocks } from './own-process.ts'
import { jobHandlers, jobKind, startJob } from './jobs.ts'
import type { Authorizer } from './service.ts'
import { person, serviceOf, type TestServer, testNow, testServer } from './testing.ts'

const contract = defineContract({
  service: 'ovens',
  base: '/svc/ovens/api/v1',
  errors: {},
  endpoints: {
    ...jobEndpoints,
    bake: {
      method: 'POST',
      path: '/bake',
      access: 'member',
      body: z.array(z.string()),
      result: z.object({ id: z.string() }),
    },
  },
})

/** Loaves that were baked; tests replace the function that runs on the way. */
let baked: string[] = []
let before: (loaf: string) => Promise<void> | void = () => undefined

const bake = jobKind<unknown, string[]>({
  name: 'bake',
  input: z.array(z.string()),
  async run(job) {
    if (job.input.length === 0) {
      throw new AppError(422, 'ovens.no_dough', { message: 'Nothing to bake' })
    }
    await job.each(job.input, async (loaf, ctx) => {
      await before(loaf)
      if (loaf === 'stone') throw new AppError(422, 'ovens.no_bread', { message: 'Not bread' })
      baked.push(`${loaf} for ${ctx.caller.sub} in ${ctx.organization.resourceId}`)
    })
    return { baked: baked.length }
  },
})
const ovens = serviceOf<unknown>()({
  contract,
  migrations: new URL('test-migrations/', import.meta.url),
  jobs: [bake],
  handlers: (deps) => ({
    ...jobHandlers(deps, contract),
    bake: async ({ body }, ctx) => ({
      id: await startJob(deps.db, ctx, {
        service: 'ovens',
        kind: bake,
        input: body,
        label: 'Bread',
      }),
    }),
  }),
})

const members = new Set(['anna', 'bert'])
const admit: Authorizer = async ({ sub }) => {
  if (!members.has(sub)) return undefined
  const organization = {
    id: 1,
    resourceId: 'nord',
    name: 'nord',
    label: 'Nord',
    realm: 'nord',
    dataEnabled: true,
    vpnEnabled: true,
  }
  const capability = { resources: [], devices: [] } as never
  return { organization, capability, below: false }
}

let server: TestServer
beforeAll(async () => {
  server = await testServer([ovens], { admit: () => admit })
})
afterAll(() => server.close())
beforeEach(() => {
  baked = []
  before = () => undefined
  members.add('anna')
})

const as = (sub: string) => server.as(person(sub, 'nord', 'nord'), contract)
const params = (jobId: string) => ({ params: { jobId }, query: {} })

test('a job does every item, counts what failed and says why', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'stone', 'oat'] })
  await server.settle()
  expect(baked).toEqual(['rye for anna in nord', 'oat for anna in nord'])
  const job = await as('anna').job(params(id))
  expect(job).toMatchObject({ state: 'DONE', total: 3, done: 3, failed: 1, result: { baked: 2 } })
  const { data } = await as('anna').jobFailures(params(id))
  expect(data).toEqual([{ label: 'stone', code: 'ovens.no_bread', message: 'Not bread' }])
})

test('a job that fails as a whole says why, and by which name', async () => {
  const { id } = await as('anna').bake({ body: [] })
  await server.settle()
  const why = { error: 'Nothing to bake', errorCode: 'ovens.no_dough' }
  expect(await as('anna').job(params(id))).toMatchObject({ state: 'ERROR', ...why })
})

test('nobody else sees a job, cancels it or does it again', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'stone'] })
  await server.settle()
  const bert = as('bert')
  expect((await bert.jobs({ query: {} })).data).toEqual([])
  for (const call of [bert.job, bert.jobFailures, bert.cancelJob, bert.retryJob]) {
    await expect(call(params(id))).rejects.toMatchObject({ status: 404, code: 'job.not_found' })
  }
  expect((await as('anna').jobs({ query: {} })).data.map((job) => job.id)).toContain(id)
})

test('the failed items are done again, and only they', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'stone'] })
  await server.settle()
  baked = []
  const again = await as('anna').retryJob(params(id))
  expect(again).toMatchObject({ state: 'PROCESSING', total: 1, done: 0, failed: 0 })
  await expect(as('anna').retryJob(params(id))).rejects.toMatchObject({ status: 409 })
  await server.settle()
  expect(await as('anna').job(params(id))).toMatchObject({ state: 'DONE', total: 1, failed: 1 })
  expect(baked).toEqual([])
})

test('a cancelled job stops where it is', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'oat', 'corn'] })
  before = async (loaf) => {
    if (loaf !== 'rye') return
    await as('anna').cancelJob(params(id))
    // Progress is checked at intervals, so the step moves the clock.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
  }
  await server.settle()
  vi.useRealTimers()
  expect(baked).toEqual(['rye for anna in nord'])
  expect(await as('anna').job(params(id))).toMatchObject({ state: 'CANCELLED', total: 3, done: 1 })
})

test('who loses the right while it runs does nothing more', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'oat'] })
  before = () => void members.delete('anna')
  await server.settle()
  members.add('anna')
  expect(baked).toEqual(['rye for anna in nord'])
  const { data } = await as('anna').jobFailures(params(id))
  expect(data).toMatchObject([{ label: 'oat', code: 'job.not_allowed' }])
})

/** Second process with the same database. */
function otherProcess() {
  const { app, database } = server
  const holder = createOwnProcess(database.pool)
  const about = { service: 'ovens', kinds: [bake], admit, log: app.log, holder }
  const runner = createJobRunner({ db: database.db, ...about, now: () => testNow })
  return { ...runner, holder }
}

/** Pauses the baking of one loaf, so that a test can act in the middle. */
function pauseAt(loaf: string) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>()
  before = async (one) => {
    if (one !== loaf) return
    reach()
    await go
  }
  return { reached, letGo }
}

test('another process goes on where a stopped one was', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'oat', 'corn'] })
  const first = otherProcess()
  const { reached, letGo } = pauseAt('oat')
  await first.wake()
  await reached
  const closed = first.close()
  letGo()
  await closed
  expect(await as('anna').job(params(id))).toMatchObject({ state: 'PROCESSING', done: 2 })
  before = () => undefined
  await server.settle()
  expect(baked.map((loaf) => loaf.split(' ')[0])).toEqual(['rye', 'oat', 'corn'])
  expect(await as('anna').job(params(id))).toMatchObject({ state: 'DONE', done: 3 })
  await first.holder.close()
})

test('two processes do not do the same job', async () => {
  await as('anna').bake({ body: ['rye', 'oat'] })
  const other = otherProcess()
  await Promise.all([server.settle(), other.settle()])
  expect(baked).toHaveLength(2)
  await other.holder.close()
})

test('what a process that died was at goes on at once, and it ends nothing if it lives after all', async () => {
  const { id } = await as('anna').bake({ body: ['rye', 'stone', 'corn'] })
  const first = otherProcess()
  const { reached, letGo } = pauseAt('corn')
  await first.wake()
  await reached
  // While the connection lives, no other process takes the job.
  await server.settle()
  expect(await as('anna').job(params(id))).toMatchObject({ state: 'PROCESSING' })
  await server.database.pool.query(
    'select pg_terminate_backend(pid) from pg_locks where classid = $1 and objid = $2',
    [processLocks, first.holder.number],
  )
  before = () => undefined
  const state = async () => {
    await server.settle()
    return (await as('anna').job(params(id))).state
  }
  await expect.poll(state, { timeout: 20_000 }).toBe('DONE')
  const ended = await as('anna').job(params(id))
  expect(ended).toMatchObject({ total: 3, done: 3, failed: 1 })
  letGo()
  await first.settle()
  expect(await as('anna').job(params(id))).toEqual(ended)
  await first.holder.close()
})
