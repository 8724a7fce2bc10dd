import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createFabric, type Fabric } from './fabric.ts'
import { Bytes, defineSubject, subjectAt } from './fabric-contract.ts'
import { keptLog } from './fabric-testing.ts'
import type { NatsServer } from './nats-settings.ts'
import { startNats } from './nats-testing.ts'
import { openNatsWire } from './nats-wire.ts'

const double = defineSubject({ subject: 'double', request: z.number(), reply: z.number() })
const live = defineSubject({ subject: 'live.:device', message: Bytes, live: true })
const press = subjectAt(live, { device: 'press' })
const soon = { deadlineMs: 300 }

let nats: Awaited<ReturnType<typeof startNats>>
let open: Fabric[]
beforeEach(async () => {
  nats = await startNats({ count: 3 })
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((fabric) => fabric.close()))
  await nats.stop()
})

async function start(servers: readonly NatsServer[] = nats.settings.servers) {
  const { log, entries } = keptLog()
  const settings = { servers: [...servers] }
  const fabric = createFabric({
    instance: 'one',
    log,
    wire: await openNatsWire({ settings, instance: 'one', log }),
  })
  open.push(fabric)
  return Object.assign(fabric, { entries })
}
const at = (index: number) => nats.servers[index]!
const linkOf = (fabric: Fabric, name: 'calls' | 'live') =>
  fabric.figures().links.find((link) => link.name === name)?.server
/** The server that a fabric's link uses. */
const used = (fabric: Fabric, name: 'calls' | 'live') =>
  nats.servers.find(({ server }) => linkOf(fabric, name)?.endsWith(`:${server.port}`))!
const result = (fabric: Fabric, options = soon) =>
  fabric.call(double, 21, options).catch((error: unknown) => error)
const works = async (fabric: Fabric) => {
  await expect.poll(() => result(fabric)).toBe(42)
}

test('callers and answerers at different servers of a cluster meet', async () => {
  const [one, two, three] = await Promise.all([0, 1, 2].map((index) => start([at(index).server])))
  one!.answer(double, (n) => n * 2)
  const heard: number[] = []
  three!.hear(live, (bytes) => void heard.push(bytes[0]!))
  await works(two!)
  await works(three!)
  await expect.poll(() => (two!.tell(press, Uint8Array.of(7)), heard[0])).toBe(7)
  // That nobody answers is known over the routes too, at once.
  const nobody = { ...double, subject: 'nobody' }
  await expect(three!.call(nobody, 1, { deadlineMs: 600_000 })).rejects.toMatchObject({
    cause: 'nobody',
  })
})

test('kill -9 of the server in use: what is under way fails, then all works by itself', async () => {
  const caller = await start()
  const others = nats.servers.filter((one) => one !== used(caller, 'calls'))
  const answerer = await start(others.map(({ server }) => server))
  let slow = 0
  const { promise: released, resolve: release } = Promise.withResolvers<number>()
  answerer.answer(double, (n) => (n === 0 ? ((slow += 1), released) : n * 2))
  const heard = new Set<number>()
  answerer.hear(live, (bytes) => void heard.add(bytes[0]!))
  await works(caller)
  const call = () => caller.call(double, 0, { deadlineMs: 600_000, id: 'slow' })
  const running = call().catch((error: unknown) => error)
  await expect.poll(() => slow).toBe(1)
  await used(caller, 'calls').kill()
  expect(await running).toMatchObject({ cause: 'away', mayHaveRun: true })
  await works(caller)
  // The call is repeated with its id: it gets the first answer, and is not carried out again.
  const again = call()
  release(7)
  expect(await again).toBe(7)
  expect(slow).toBe(1)
  await expect.poll(() => (caller.tell(press, Uint8Array.of(1)), heard.has(1))).toBe(true)
})

test('all servers killed: calls fail at once and messages are dropped, until one is back', async () => {
  const [caller, answerer] = [await start(), await start()]
  answerer.answer(double, (n) => n * 2)
  await works(caller)
  await Promise.all(nats.servers.map((server) => server.kill()))
  await expect
    .poll(() => result(caller, { deadlineMs: 600_000 }))
    .toMatchObject({ cause: 'away', mayHaveRun: false })
  // The connection for frames may notice it a moment after that for calls.
  const droppedTold = () => {
    caller.tell(press, Uint8Array.of(1))
    return caller.figures().droppedTold
  }
  await expect.poll(droppedTold).toBeGreaterThan(0)
  await expect.poll(() => caller.entries.join('\n')).toContain('ECONNREFUSED')
  await at(1).restart()
  await works(caller)
  await Promise.all([at(0).restart(), at(2).restart()])
  await at(1).kill()
  await works(caller)
})

test('a server that hangs is left for another, also with much under way to it', async () => {
  const caller = await start()
  const hung = used(caller, 'live')
  const answerer = await start(nats.servers.filter((one) => one !== hung).map((one) => one.server))
  answerer.answer(double, (n) => n * 2)
  const heard = new Set<number>()
  answerer.hear(live, (bytes) => void heard.add(bytes[0]!))
  await works(caller)
  await hung.pause()
  const frame = new Uint8Array(64_000)
  // More than the sockets hold; then frames are dropped, and memory does not grow.
  for (let index = 0; index < 400; index += 1) caller.tell(press, frame)
  expect(caller.figures().droppedTold).toBeGreaterThan(200)
  await expect.poll(() => (caller.tell(press, Uint8Array.of(9)), heard.has(9))).toBe(true)
  await works(caller)
  expect(caller.entries.join('\n')).toContain('NATS does not react')
  hung.resume()
  await works(caller)
})

test('an answerer whose server hangs answers over another one', async () => {
  const answerer = await start()
  answerer.answer(double, (n) => n * 2)
  const hung = used(answerer, 'calls')
  const caller = await start(nats.servers.filter((one) => one !== hung).map((one) => one.server))
  await works(caller)
  await hung.pause()
  expect(await result(caller)).toMatchObject({ cause: 'late', mayHaveRun: true })
  await works(caller)
  expect(used(answerer, 'calls')).not.toBe(hung)
  hung.resume()
  await works(caller)
})

test('a start without any server goes on, says so, and connects when there is one', async () => {
  await Promise.all(nats.servers.map((server) => server.kill()))
  const [caller, answerer] = [await start(), await start()]
  expect(caller.entries).toContainEqual(
    expect.stringMatching(/NATS cannot be reached.*ECONNREFUSED/),
  )
  answerer.answer(double, (n) => n * 2)
  expect(await result(caller, { deadlineMs: 600_000 })).toMatchObject({ cause: 'away' })
  await at(2).restart()
  await works(caller)
})

test('closing ends also while no server can be reached', async () => {
  await Promise.all(nats.servers.map((server) => server.kill()))
  const caller = await start()
  await caller.close()
  expect(linkOf(caller, 'calls')).toBeUndefined()
})
