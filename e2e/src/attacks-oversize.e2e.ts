import type { Contract } from '@longreach/kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenServices } from '../../apps/server/src/services.ts'
import { enter, join } from './asking.ts'
import { makeDevice, signInByHttp } from './calls.ts'
import { largestCalls } from './largest-calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { descriptorsOf, memoryOf, usualBlock } from './loop-guard.ts'

// Nobody stops the server with a call that is as large as its document allows. Calls and services to
// come are among them by themselves: they are read from the documents of the services that the server has.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
/** Milliseconds that one call may keep the loop, and megabytes that the server may have grown by after all. */
const longestMs = 250
const mostGrown = 600

let longreach: Longreach
let known: Record<string, string>
beforeAll(async () => {
  longreach = await startLongreach({ env })
  const call = await signInByHttp(longreach.url, owner)
  const { deviceId } = await makeDevice(call, 'main', 'press')
  const other = { organization: 'main', username: 'otto', roles: [] }
  const { id } = await join(call, other)
  known = { org: 'main', organization: 'main', deviceId, device: deviceId, user: String(id) }
})
afterAll(() => longreach?.stop())

const services = (await chosenServices(undefined))
  .map(({ contract }): Contract => contract)
  .filter(({ endpoints }) => Object.values(endpoints).some(({ access }) => access !== 'service'))
  .map(({ base }) => base.slice('/svc/'.length))

test.each(services)(
  '%s: no call as large as it may be keeps the others waiting',
  async (service) => {
    const { ask } = await enter(longreach.url, owner)
    const calls = await largestCalls(ask, service, known)
    expect(calls.length).toBeGreaterThan(0)
    const descriptors = await descriptorsOf(longreach.pid())
    const memory = await memoryOf(longreach.pid())
    const wrong: unknown[] = []
    for (const { name, method, path, body } of calls) {
      const sent = body()
      const once = () => ask(method, path, sent)
      const { result, longest, limit } = await usualBlock(longreach, longestMs, once)
      if (result.status >= 500 || longest >= limit)
        wrong.push({ name, longest, status: result.status, text: result.text.slice(0, 300) })
    }
    expect(wrong).toEqual([])
    const grown = async () => (await descriptorsOf(longreach.pid())) - descriptors
    await expect.poll(grown).toBeLessThan(20)
    expect((await memoryOf(longreach.pid())) - memory).toBeLessThan(mostGrown)
  },
)
