import { expect, test } from 'vitest'
import { createAttempts } from './attempts.ts'
import { createFabric } from './fabric.ts'
import { keptLog, memoryNetwork } from './fabric-testing.ts'

const now = new Date('2026-11-26T10:00:00Z')
const limit = { most: 3, windowMs: 60_000 }

/** Counts of two processes that reach each other. */
function twoProcesses(name = 'pairing.keys') {
  const network = memoryNetwork()
  const process = () => {
    const fabric = createFabric({ instance: 'one', log: keptLog().log, wire: network.wire() })
    return createAttempts(limit, { fabric, name })
  }
  return { network, process }
}

test('attempts at several processes count together', async () => {
  const { process } = twoProcesses()
  const [first, second] = [process(), process()]
  first.failed('10.0.0.1', now)
  second.failed('10.0.0.1', now)
  first.failed('10.0.0.1', now)
  for (const one of [first, second]) {
    await expect.poll(() => one.waitS('10.0.0.1', now)).toBe(60)
    expect(one.waitS('10.0.0.2', now)).toBe(0)
    expect(one.waitS('10.0.0.1', new Date(now.getTime() + 60_000))).toBe(0)
  }
})

test('another count of the same address is not touched, and a count of its own stays its own', async () => {
  const { network, process } = twoProcesses()
  const first = process()
  const fabric = createFabric({ instance: 'one', log: keptLog().log, wire: network.wire() })
  const other = createAttempts(limit, { fabric, name: 'core.names' })
  const alone = createAttempts(limit)
  const witness = process()
  for (let n = 0; n < 3; n += 1) first.failed('10.0.0.1', now)
  await expect.poll(() => witness.waitS('10.0.0.1', now)).toBe(60)
  expect([other.waitS('10.0.0.1', now), alone.waitS('10.0.0.1', now)]).toEqual([0, 0])
})

test('while the others cannot be reached each process counts for itself', async () => {
  const { network, process } = twoProcesses()
  const [first, second] = [process(), process()]
  network.interrupt(true)
  for (let n = 0; n < 3; n += 1) first.failed('10.0.0.1', now)
  expect([first.waitS('10.0.0.1', now), second.waitS('10.0.0.1', now)]).toEqual([60, 0])
})
