import type { Logger } from 'pino'
import type Systeminformation from 'systeminformation'
import { messageOf, pause } from './retry.ts'
import type { HostSettings } from './source-settings.ts'
import { goodReading, type Reading, type Source, type Tag } from './tags.ts'
import { toTenths } from './rounding.ts'

type Information = typeof Systeminformation
type Gauge = { tag: Tag; read: (information: Information) => Promise<number | undefined> }

const percent = (part: number, whole: number) =>
  whole > 0 ? toTenths((part / whole) * 100) : undefined
const double = (name: string): Tag => ({ name: `host.${name}`, type: 'double' })

/**
 * Bytes per second over all interfaces except loopback; unknown the first time, without an earlier
 * count.
 */
async function network(information: Information, direction: 'rx_sec' | 'tx_sec') {
  const interfaces = await information.networkStats('*')
  const rates = interfaces.filter(({ iface }) => iface !== 'lo').map((one) => one[direction])
  // The library's types promise a number, but the first answer has null.
  const known = rates.filter((rate: number | null) => rate !== null && rate >= 0)
  return known.length > 0 ? toTenths(known.reduce((sum, rate) => sum + rate, 0) / 1_000) : undefined
}

const gauges: Gauge[] = [
  {
    tag: double('cpu.load'),
    read: async (information) => toTenths((await information.currentLoad()).currentLoad),
  },
  {
    tag: double('memory.used'),
    read: async (information) => {
      const { active, total } = await information.mem()
      return percent(active, total)
    },
  },
  {
    tag: double('memory.available'),
    read: async (information) => Math.round((await information.mem()).available / 1_048_576),
  },
  {
    tag: double('disk.used'),
    read: async (information) => {
      const disks = await information.fsSize()
      const root = disks.find(({ mount }) => mount === '/') ?? disks[0]
      return root && percent(root.used, root.size)
    },
  },
  { tag: double('network.received'), read: (information) => network(information, 'rx_sec') },
  { tag: double('network.sent'), read: (information) => network(information, 'tx_sec') },
  {
    tag: double('temperature'),
    read: async (information) => {
      // Null on a machine without a sensor, whatever the library's types say.
      const { main } = (await information.cpuTemperature()) as { main: number | null }
      return main === null ? undefined : toTenths(main)
    },
  },
  {
    tag: { name: 'host.uptime', type: 'integer' },
    read: async (information) => Math.round(information.time().uptime),
  },
]

/**
 * Figures of this machine: CPU (%), memory (%, MB), disk (%), network (kB/s), temperature (°C) and
 * uptime (s). Unavailable ones stay unknown.
 */
export function hostSource({ name, pollMs }: HostSettings, log: Logger): Source {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function read(information: Information): Promise<Reading[]> {
    const readings: Reading[] = []
    for (const { tag, read: measure } of gauges) {
      try {
        const value = await measure(information)
        if (value !== undefined && Number.isFinite(value))
          readings.push(goodReading(tag.name, value))
      } catch (error) {
        log.warn({ source: name, tag: tag.name }, messageOf(error))
      }
    }
    return readings
  }

  return {
    name,
    tags: () => gauges.map(({ tag }) => tag),
    start(report) {
      running = (async () => {
        const { default: information } = await import('systeminformation')
        while (!stopping.signal.aborted) {
          report(await read(information))
          await pause(pollMs, stopping.signal)
        }
      })()
    },
    write: async (tag) => {
      throw new Error(`${tag} cannot be written`)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
