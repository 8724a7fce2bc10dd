import { setImmediate as turn } from 'node:timers/promises'
import { createFabric } from '@longreach/kit/fabric'
import { keptLog, memoryNetwork } from '@longreach/kit/fabric-testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newDevice, type Target, type ValueListener } from '../devices/device.ts'
import { createTelling } from './live-telling.ts'
import { createWatching } from './live-watching.ts'

const path = 'Line:1/speed'
const [nodes, names] = [3, ['press', 'oven']]
/** Watched devices are asked for every 10 s; a request holds for 30 s and is looked at every 10 s. */
const [askMs, forgottenMs, soonMs] = [10_500, 45_000, 200]

function deviceOf(id: string) {
  const device = newDevice(id)
  const leaf = { path, type: 'double', mode: 'R', history: true } as const
  device.byPath.set(path, { device, leaf })
  return device
}

type Network = ReturnType<typeof memoryNetwork>

/** Process with two devices that it knows, and what its people see of them. */
function startNode(node: number, network: Network) {
  const { log } = keptLog()
  const fabric = createFabric({ instance: 'model', log, wire: network.wire() })
  const devices = new Map(names.map((name) => [name, deviceOf(name)]))
  const directory = { known: (id: string) => devices.get(id) }
  const valueListeners = new Set<ValueListener>()
  const watching = createWatching({ fabric, node, directory })
  const telling = createTelling({
    fabric,
    node,
    directory,
    valueListeners,
    now: () => new Date(),
  })
  return {
    watching,
    /** Stores a value, as the process that the device is connected to does. */
    store(name: string, t: number) {
      const target: Target | undefined = devices.get(name)?.byPath.get(path)
      if (!target) return
      target.last = { t, v: t, q: 0 }
      for (const listener of [...target.device.listeners, ...valueListeners])
        listener(target, target.last)
    },
    watch(name: string, saw: (t: number) => void) {
      const listener: ValueListener = ({ device }, { t }) =>
        saw(device.id === name ? t : Number.NaN)
      devices.get(name)?.listeners.add(listener)
      const leave = watching.begin(name, 'values')
      return () => {
        devices.get(name)?.listeners.delete(listener)
        leave()
      }
    },
    async close() {
      watching.close()
      telling.close()
      await fabric.close()
    },
  }
}

/** Processes, devices that move between them, people who look on, and a network that may be interrupted. */
class Model {
  readonly network = memoryNetwork()
  readonly nodes = Array.from({ length: nodes }, (_, node) => startNode(node, this.network))
  private readonly holders = new Map(names.map((name) => [name, 0]))
  private watchers: { name: string; seen: number[]; stop: () => void }[] = []
  private readonly ear = this.network.wire()
  private told = 0
  private time = 0
  constructor() {
    this.ear.hear({ subject: '*.*.live.*', live: true }, () => void (this.told += 1))
  }

  pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  write(name: string) {
    this.time += 1
    this.nodes[this.holders.get(name) ?? 0]?.store(name, this.time)
    return this.time
  }
  watch(node: number, name: string) {
    const seen: number[] = []
    const stop = this.nodes[node]?.watch(name, (t) => void seen.push(t)) ?? (() => undefined)
    this.watchers.push({ name, seen, stop })
  }
  leave(place: number) {
    const [gone] = this.watchers.splice(place % Math.max(1, this.watchers.length), 1)
    gone?.stop()
  }
  move(name: string, node: number) {
    this.holders.set(name, node)
    for (const { watching } of this.nodes) watching.moved(name)
  }

  /** Watchers that do not see a value of their device soon, and values of others that they see. */
  async unseen() {
    this.network.interrupt(false)
    await this.pass(askMs)
    const written = new Map(names.map((name) => [name, this.write(name)]))
    await this.pass(soonMs)
    return this.watchers
      .filter(({ name, seen }) => !seen.includes(written.get(name) ?? 0) || seen.some(Number.isNaN))
      .map(({ name, seen }) => `${name}: ${seen.join()}`)
  }
  /** Messages for values that nobody looks at any more. */
  async needless() {
    for (const { stop } of this.watchers.splice(0)) stop()
    await this.pass(forgottenMs)
    this.told = 0
    for (const name of names) this.write(name)
    await this.pass(soonMs)
    return this.told
  }
  async close() {
    for (const node of this.nodes) await node.close()
    await this.ear.close()
  }
}

const [node, name] = [fc.nat(nodes - 1), fc.constantFrom(...names)]
const step = fc.oneof(
  fc.record({ does: fc.constant('watch' as const), node, name }),
  fc.record({ does: fc.constant('leave' as const), place: fc.nat(5) }),
  fc.record({ does: fc.constant('move' as const), node, name }),
  fc.record({ does: fc.constant('write' as const), name }),
  fc.record({ does: fc.constant('interrupt' as const), on: fc.boolean() }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ min: 10, max: 40_000 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function carryOut(model: Model, one: Step) {
  if (one.does === 'watch') return model.watch(one.node, one.name)
  if (one.does === 'leave') return model.leave(one.place)
  if (one.does === 'move') return model.move(one.name, one.node)
  if (one.does === 'write') return model.write(one.name)
  if (one.does === 'interrupt') return model.network.interrupt(one.on)
  return model.pass(one.ms)
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('whoever looks at a device sees its values, wherever it moves, and nothing is told of a device that nobody looks at', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const model = new Model()
      try {
        for (const one of steps) await carryOut(model, one)
        expect(await model.unseen()).toEqual([])
        expect(await model.needless()).toBe(0)
      } finally {
        await model.close()
      }
    }),
    { numRuns: 40 },
  )
})
