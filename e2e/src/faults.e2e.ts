import { readFile, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bearer } from './asking.ts'
import { makeDevice, signInByHttp, tokensByHttp } from './calls.ts'
import { connectDevice, pair } from './device.ts'
import { startLongreach } from './longreach.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
const minute = 60_000

type Stored = { data: [number, number][] }[]

/** Sends numbers at full rate until stopped; returns those that were acknowledged. */
function flood(device: Awaited<ReturnType<typeof connectDevice>>, endpoint: string) {
  const acknowledged: number[] = []
  const start = Date.now() - 30 * minute
  let running = true
  const lane = async (first: number) => {
    for (let n = first; running; n += 50) {
      const arrived = await device.send(endpoint, n, new Date(start + n)).then(
        () => true,
        () => false, // the connection went; this one was not acknowledged
      )
      if (!arrived) return
      acknowledged.push(n)
    }
  }
  const lanes = Promise.all(Array.from({ length: 50 }, (_, first) => lane(first)))
  return {
    acknowledged,
    start,
    async stop() {
      running = false
      await lanes
    },
  }
}

test.each(['the server', 'the database'])(
  'killing %s at full rate loses nothing that was acknowledged [C-20]',
  async (victim) => {
    const first = await startLongreach({ env })
    const call = await signInByHttp(first.url, owner)
    const made = await makeDevice(call, 'main', 'press')
    const device = await connectDevice(await pair(first.url, made.activationKey))
    device.client.on('error', () => undefined) // it is cut off on purpose
    let isCutOff = false
    device.client.on('close', () => (isCutOff = true))
    const leaf = await device.leafOf('tag.integer')
    const sent = flood(device, leaf?.mapping?.device_endpoint ?? '')
    await expect
      .poll(() => sent.acknowledged.length, { timeout: 3 * minute })
      .toBeGreaterThan(5_000)
    if (victim === 'the server') await first.kill()
    else {
      process.kill(await databasePid(first.dataDir), 'SIGKILL')
      const before = sent.acknowledged.length
      // Acknowledged after all, or given back: a message that cannot be stored ends the connection.
      const hasGoneOn = () => isCutOff || sent.acknowledged.length !== before
      await expect.poll(hasGoneOn, { timeout: 3 * minute }).toBe(true)
    }
    device.client.end(true)
    await sent.stop()
    if (victim === 'the database') await first.stop('keep')
    const again = await startLongreach({ env, dataDir: first.dataDir })
    const ask = await signInByHttp(again.url, owner)
    const path = `platform/api/v1/organizations/main/devices/${made.deviceId}/tags`
    const range = new URLSearchParams({
      modelPath: made.path('integer'),
      since: new Date(sent.start - 1).toISOString(),
      to: new Date(sent.start + 30 * minute).toISOString(),
      limit: '1000000',
    })
    const [stored] = await ask<Stored>('GET', `${path}?${range}`)
    const there = new Set(stored?.data.map(([, value]) => value))
    expect(sent.acknowledged.filter((n) => !there.has(n))).toEqual([])
    await again.stop()
    await rm(first.dataDir, { recursive: true, force: true })
  },
  15 * minute,
)

async function databasePid(dataDir: string) {
  return Number.parseInt(await readFile(`${dataDir}/postgres/postmaster.pid`, 'utf8'), 10)
}

type Jobs = { data: { kind: string; state: string; done: number; total: number; failed: number }[] }

test(
  'killed in the middle of jobs, a server goes on with each of them and does nothing twice',
  async () => {
    const first = await startLongreach({ env })
    const call = await signInByHttp(first.url, owner)
    const made = await makeDevice(call, 'main', 'press')
    const org = 'platform/api/v1/organizations/main'
    const start = Date.now() - 60 * minute
    const data = Array.from({ length: 5_000 }, (_, n) => [start + n, n])
    const { deviceId } = made
    const values = [{ deviceId, modelPath: made.path('integer'), data }]
    await call('POST', `${org}/devices/bulkInsertTags`, values)
    const bring = (name: string, count: number) => {
      const lines = Array.from({ length: count }, (_, n) => `${name} ${n}`)
      const csv = ['name', ...lines].join('\n')
      return call('POST', 'mappings/api/v1/devices/imports?organization=main', { csv })
    }
    const jobsOf = async (ask: typeof call) => {
      const [ours, theirs] = await Promise.all([
        ask<Jobs>('GET', 'mappings/api/v1/jobs?organization=main'),
        ask<Jobs>('GET', 'platform/api/v1/jobs?organization=main'),
      ])
      return [...ours.data, ...theirs.data]
    }
    const states = async (ask: typeof call) => (await jobsOf(ask)).map(({ state }) => state)
    const [old, fresh] = [100, 400]
    await bring('Old', old)
    await expect.poll(() => states(call)).toEqual(['DONE'])
    const [exported] = await Promise.all([
      call<{ id: string }>('POST', `${org}/exports`, {
        devices: { ids: [deviceId] },
        format: 'csv',
        since: start,
        to: start + data.length,
      }),
      bring('New', fresh),
      call('POST', 'mappings/api/v1/devices/bulk?organization=main', {
        action: { kind: 'addTags', tags: ['seen'] },
        selection: { question: { search: 'Old' } },
        label: 'Tags',
      }),
    ])
    const begun = async () =>
      (await jobsOf(call)).some(({ kind, done }) => kind === 'change-devices' && done > 0)
    await expect.poll(begun, { interval: 10 }).toBe(true)
    await first.kill()
    const again = await startLongreach({ env, dataDir: first.dataDir })
    const ask = await signInByHttp(again.url, owner)
    const ended = () => states(ask)
    await expect.poll(ended, { timeout: 3 * minute }).toEqual(['DONE', 'DONE', 'DONE', 'DONE'])
    const jobs = await jobsOf(ask)
    expect(jobs.map(({ failed, done, total }) => [failed, done === total])).toEqual(
      Array.from({ length: 4 }, () => [0, true]),
    )
    const found = await ask<{ data: { label: string; tags: string[] }[] }>(
      'POST',
      'mappings/api/v1/devices/search?organization=main',
      { pageSize: 2_000 },
    )
    const labels = found.data.map(({ label }) => label)
    expect([labels.length, new Set(labels).size]).toEqual([1 + old + fresh, 1 + old + fresh])
    const tagged = found.data.filter(({ label }) => label.startsWith('Old'))
    expect(tagged.filter(({ tags }) => tags.join() !== 'seen')).toEqual([])
    const file = await fetch(`${again.url}/svc/${org}/exports/${exported.id}/file`, {
      headers: bearer((await tokensByHttp(again.url, owner)).access_token),
    })
    const lines = (await file.text()).trim().split('\n')
    expect([lines.length, new Set(lines).size]).toEqual([data.length + 1, data.length + 1])
    await again.stop()
    await rm(first.dataDir, { recursive: true, force: true })
  },
  15 * minute,
)
