import type { Logger } from 'pino'
import { type Block, type Place, planBlocks } from './modbus-blocks.ts'
import { isRefusal, modbusDevice, readPlace, writePlace } from './modbus-device.ts'
import { decodeRegisters, type RegisterFormat, registersOf } from './modbus-values.ts'
import { backoff, messageOf, pause } from './retry.ts'
import type { ModbusSettings } from './source-settings.ts'
import {
  badReading,
  goodReading,
  type Reading,
  type Report,
  type Source,
  type Tag,
} from './tags.ts'

type ModbusTag = Place & { tag: Tag; format: RegisterFormat }

/** Tags of a Modbus TCP device, read in as few requests as possible, one request at a time. */
export function modbusSource(settings: ModbusSettings, log: Logger): Source {
  const tags = settings.tags.map((tag) => toModbusTag(tag, settings))
  const blocks = planBlocks(tags)
  const stopping = new AbortController()
  const device = modbusDevice(settings)
  let running: Promise<void> = Promise.resolve()

  async function readBlock(block: Block<ModbusTag>): Promise<Reading[]> {
    try {
      const data = await device.inTurn(block.unit, (open) => readPlace(open, block))
      return block.places.map((place) =>
        toModbusReading(place, data.slice(place.address - block.address)),
      )
    } catch (error) {
      if (!isRefusal(error)) throw error
      const reason = messageOf(error)
      return block.places.map(({ tag }) => badReading(tag.name, reason))
    }
  }

  /** Reads every block at its interval, until the connection or the agent ends. */
  async function poll(report: Report) {
    const times = blocks.map((block) => ({ block, at: Date.now() }))
    while (!stopping.signal.aborted) {
      const now = Date.now()
      for (const time of times.filter(({ at }) => at <= now)) {
        report(await readBlock(time.block))
        // After a slow answer the missed polls are skipped.
        time.at = Math.max(time.at + time.block.pollMs, Date.now())
      }
      const next = Math.min(...times.map(({ at }) => at))
      await pause(Math.max(1, next - Date.now()), stopping.signal)
    }
  }

  async function run(report: Report) {
    const waiting = backoff(500, 30_000)
    while (!stopping.signal.aborted) {
      try {
        await device.open()
        log.info({ source: settings.name }, `connected to ${settings.host}:${settings.port}`)
        waiting.reset()
        await poll(report)
      } catch (error) {
        if (stopping.signal.aborted) break // stop() closed the connection
        const reason = messageOf(error)
        log.warn({ source: settings.name }, `${settings.host}:${settings.port}: ${reason}`)
        report(tags.map(({ tag }) => badReading(tag.name, reason)))
      }
      device.close()
      await pause(waiting.next(), stopping.signal)
    }
    device.close()
  }

  return {
    name: settings.name,
    tags: () => tags.map(({ tag }) => tag),
    start(report) {
      running = run(report)
    },
    async write(name, value) {
      const place = tags.find(({ tag }) => tag.name === name)
      if (!place?.tag.writable) throw new Error(`${name} cannot be written`)
      return device.inTurn(place.unit, async (open) => {
        await writePlace(open, place, value)
        const reading = toModbusReading(place, await readPlace(open, place))
        if (!reading.good) throw new Error(reading.reason)
        return reading.value
      })
    },
    async stop() {
      stopping.abort()
      device.close()
      await running
    },
  }
}

function toModbusTag(tag: ModbusSettings['tags'][number], settings: ModbusSettings): ModbusTag {
  const { name, area, address, writable, wordOrder = settings.wordOrder } = tag
  const registers = area === 'holding' || area === 'input'
  return {
    tag: { name, type: registers ? registerDatatype(tag) : 'boolean', writable },
    area,
    address,
    size: registers ? registersOf(tag) : 1,
    unit: tag.unit ?? settings.unit,
    pollMs: tag.pollMs ?? settings.pollMs,
    format: { ...tag, wordOrder },
  }
}

function registerDatatype({ type, scale, offset }: Omit<RegisterFormat, 'wordOrder'>) {
  if (type === 'bit') return 'boolean'
  if (type === 'string') return 'string'
  // A uint32 can exceed the platform's signed 32-bit integers.
  const whole = type === 'int16' || type === 'uint16' || type === 'int32'
  return whole && Number.isInteger(scale) && Number.isInteger(offset) ? 'integer' : 'double'
}

function toModbusReading(
  { tag, format, size }: ModbusTag,
  data: readonly (number | boolean)[],
): Reading {
  const [first] = data
  if (typeof first === 'boolean') return goodReading(tag.name, first)
  const value = decodeRegisters(data.slice(0, size).map(Number), format)
  return value === undefined
    ? badReading(tag.name, 'the device answers with a number that is not finite')
    : goodReading(tag.name, value)
}
