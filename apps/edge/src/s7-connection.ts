import NodeS7 from 'nodes7'
import type { S7Settings } from './source-settings.ts'
type Endpoint = Pick<S7Settings, 'host' | 'port' | 'rack' | 'slot' | 'timeoutMs'>

/** State of the library's connection in which it can read and write. */
const ready = 4

/** Opens a connection to an S7 controller. Throws when that fails. */
export async function openS7({ host, port, rack, slot, timeoutMs }: Endpoint) {
  const plc = new NodeS7({ silent: true })
  const connected = Promise.withResolvers<void>()
  const failed = (error: unknown) => connected.reject(faultOf(error, { host, port, rack, slot }))
  const timer = setTimeout(() => failed('no answer'), timeoutMs + 1_000)
  plc.initiateConnection({ host, port, rack, slot, timeout: timeoutMs }, (error) =>
    error === undefined ? connected.resolve() : failed(error),
  )
  const close = () => new Promise<void>((resolve) => plc.dropConnection(resolve))
  try {
    await connected.promise
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(timer)
  }
  let added = ''
  return {
    close,
    /**
     * Values by address; undefined for an address that the controller refuses. Throws when the
     * connection is lost.
     */
    async read(addresses: readonly string[]) {
      if (added !== addresses.join(' ')) {
        plc.removeItems()
        plc.addItems([...addresses])
        added = addresses.join(' ')
      }
      const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>()
      plc.readAllItems((_, values) => resolve(values))
      const values = await promise
      if (plc.isoConnectionState !== ready) throw new Error('the connection was lost')
      return new Map(
        addresses.map((address) => {
          const { quality } = plc.findItem(address) ?? {}
          return [address, isGood(quality) ? values[address] : undefined]
        }),
      )
    },
    async write(address: string, value: unknown) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      if (plc.writeItems([address], [value], resolve) !== 0) throw new Error('a write is under way')
      if (await promise) throw new Error('the controller refuses the value')
    },
  }
}

const isGood = (quality: unknown) =>
  Array.isArray(quality) ? quality.every((one) => one === 'OK') : quality === 'OK'

function faultOf(error: unknown, { host, port, rack, slot }: Omit<Endpoint, 'timeoutMs'>) {
  const where = `${host}:${port}`
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code !== 'string') {
    return new Error(`${where} is there, but has no S7 controller at rack ${rack}, slot ${slot}`)
  }
  return new Error(
    code === 'EUSERTIMEOUT' ? `${where} does not answer` : `${where} cannot be reached (${code})`,
  )
}
