import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createFabric, type Fabric } from './fabric.ts'
import { defineSubject, subjectAt } from './fabric-contract.ts'
import { keptLog } from './fabric-testing.ts'
import { NoAnswer } from './fabric-wire.ts'
import { startNats } from './nats-testing.ts'
import { openNatsWire } from './nats-wire.ts'

const echo = defineSubject({
  subject: 'node.:node.echo',
  request: z.object({ id: z.string() }),
  reply: z.object({ id: z.string(), node: z.number() }),
})
const nodes = [0, 1, 2]

/** Processes that call each other, and count how often each call was carried out. */
async function startProcesses(settings: Awaited<ReturnType<typeof startNats>>['settings']) {
  const runs = new Map<string, number>()
  const fabrics: Fabric[] = []
  for (const node of nodes) {
    const { log } = keptLog()
    const wire = await openNatsWire({ settings, instance: 'one', log })
    const fabric = createFabric({ instance: 'one', log, wire })
    fabric.answer(subjectAt(echo, { node }), ({ id }) => {
      runs.set(id, (runs.get(id) ?? 0) + 1)
      return { id, node }
    })
    fabrics.push(fabric)
  }
  /** Calls one process from another; repeats the call with its id until it is answered. */
  const call = async (from: number, node: number, ended: () => void) => {
    const id = randomUUID()
    for (let tries = 0; ; tries += 1) {
      try {
        const options = { deadlineMs: 500, id }
        const reply = await fabrics[from]!.call(subjectAt(echo, { node }), { id }, options)
        expect(reply).toEqual({ id, node })
        return
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        await wait(20)
      } finally {
        ended()
      }
    }
  }
  return { runs, fabrics, call }
}

type Trouble = { server: number; what: 'kill' | 'pause' | 'mend' }
const troubles = fc.array(
  fc.record({
    server: fc.nat(2),
    what: fc.constantFrom<Trouble['what']>('kill', 'pause', 'mend'),
  }),
  { minLength: 8, maxLength: 8 },
)

test('servers are killed and stopped at random: every call is answered, and carried out once', async () => {
  const live = async (list: readonly Trouble[]) => {
    const nats = await startNats({ count: 3 })
    const { runs, fabrics, call } = await startProcesses(nats.settings)
    onTestFinished(async () => {
      await Promise.all(fabrics.map((fabric) => fabric.close()))
      await nats.stop()
    })
    let ended = 0
    let isOver = false
    const lane = async (from: number) => {
      for (let node = from; !isOver; node += 1) {
        await call(from, node % 3, () => void (ended += 1))
      }
    }
    const lanes = Promise.all([...nodes, ...nodes].map(lane))
    const mend = async (server: (typeof nats.servers)[number]) => {
      server.resume()
      await server.restart()
    }
    try {
      for (const { server: index, what } of list) {
        const server = nats.servers[index]!
        if (what === 'kill') await server.kill()
        else if (what === 'pause') await server.pause()
        else await mend(server)
        const before = ended
        await expect.poll(() => ended).toBeGreaterThan(before + 100)
      }
    } finally {
      for (const server of nats.servers) await mend(server)
      isOver = true
      await lanes
    }
    for (const from of nodes) for (const node of nodes) await call(from, node, () => undefined)
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([])
  }
  await fc.assert(fc.asyncProperty(troubles, live), { numRuns: 2, endOnFailure: true })
})
