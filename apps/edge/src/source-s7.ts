import type { Logger } from 'pino'
import { type Controller, polledSource } from './polled-source.ts'
import { s7Address, s7Raw, type S7Type, s7Value } from './s7-address.ts'
import { openS7 } from './s7-connection.ts'
import type { S7Settings } from './source-settings.ts'
import { badReading, goodReading, type Source, type Tag } from './tags.ts'

/** Tags of an S7 controller: data blocks, markers, inputs and outputs by their absolute addresses. */
export function s7Source(settings: S7Settings, log: Logger): Source {
  const places = settings.tags.map((tag) => ({ ...tag, address: s7Address(tag) }))
  const addresses = [...new Set(places.map(({ address }) => address))]

  async function open(): Promise<Controller> {
    const plc = await openS7(settings)
    return {
      close: plc.close,
      async read() {
        const t = Date.now()
        const values = await plc.read(addresses)
        return places.map(({ name, type, scale, address }) => {
          const value = s7Value(values.get(address), type, scale)
          const reason = `the controller has no ${address} to read (does the block exist, is it not optimized, is PUT/GET allowed?)`
          return value === undefined ? badReading(name, reason, t) : goodReading(name, value, t)
        })
      },
      async write(name, value) {
        const place = places.find((one) => one.name === name)
        if (!place) throw new Error(`there is no tag ${name}`)
        const { address, type, scale } = place
        await plc.write(address, s7Raw(value, type, scale))
        const back = s7Value((await plc.read(addresses)).get(address), type, scale)
        if (back === undefined) throw new Error(`${address} cannot be read back`)
        return back
      },
    }
  }

  const { name, host, port, pollMs } = settings
  const tags = places.map((one): Tag => ({
    name: one.name,
    type: s7Datatype(one.type, one.scale),
    writable: one.writable,
  }))
  return polledSource({ name, where: `${host}:${port}`, pollMs, tags, open, log })
}

function s7Datatype(type: S7Type, scale: number): Tag['type'] {
  if (type === 'bool') return 'boolean'
  if (type === 'string') return 'string'
  // A dword can exceed the platform's signed 32-bit integers.
  const whole = type === 'byte' || type === 'int' || type === 'word' || type === 'dint'
  return whole && Number.isInteger(scale) ? 'integer' : 'double'
}
