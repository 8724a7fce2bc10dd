import { readFile, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeDevice, signInByHttp } from './calls.ts'
import { connectDevice, pair } from './device.ts'
import { startLongreach } from './longreach.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
const minute = 60_000

type Stored = { data: [number, number][] }[]

/** Send numbers at full rate until told to stop; tells which were acknowledged. */
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
    const leaf = await device.leafOf('tag.integer')
    const sent = flood(device, leaf?.mapping?.device_endpoint ?? '')
    await expect
      .poll(() => sent.acknowledged.length, { timeout: 3 * minute })
      .toBeGreaterThan(5_000)
    if (victim === 'the server') await first.kill()
    else {
      process.kill(await databasePid(first.dataDir), 'SIGKILL')
      const before = sent.acknowledged.length
      await expect.poll(() => sent.acknowledged.length, { timeout: 3 * minute }).not.toBe(before)
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
