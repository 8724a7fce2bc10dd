import { coerce } from '@longreach/device-protocol/coerce'
import type { Logger } from 'pino'
import {
  EthernetIpRefusal,
  type EthernetIpConnection,
  openEthernetIp,
} from './ethernetip-connection.ts'
import { type Controller, polledSource } from './polled-source.ts'
import type { EthernetIpSettings } from './source-settings.ts'
import { badReading, goodReading, isScalar, type Reading, type Source } from './tags.ts'

type TagSettings = EthernetIpSettings['tags'][number]

/** Tags of a Logix controller, by their names there. */
export function ethernetIpSource(settings: EthernetIpSettings, log: Logger): Source {
  const { name, host, pollMs } = settings
  async function open(): Promise<Controller> {
    const plc = await openEthernetIp(settings)
    return {
      close: plc.close,
      async read() {
        const readings: Reading[] = []
        for (const tag of settings.tags) readings.push(await readTag(plc, tag))
        return readings
      },
      async write(tagName, value) {
        const tag = settings.tags.find((one) => one.name === tagName)
        if (!tag) throw new Error(`there is no tag ${tagName}`)
        await plc.write(tag, value)
        const back = await readTag(plc, tag)
        if (!back.good) throw new Error(back.reason)
        return back.value
      },
    }
  }
  const tags = settings.tags.map((tag) => ({
    name: tag.name,
    type: tag.type,
    writable: tag.writable,
  }))
  return polledSource({ name, where: host, pollMs, tags, open, log })
}

async function readTag(plc: EthernetIpConnection, tag: TagSettings): Promise<Reading> {
  try {
    const raw = await plc.read(tag)
    const value = isScalar(raw) ? coerce(raw, tag.type) : undefined
    if (value?.ok) return goodReading(tag.name, value.value)
    return badReading(tag.name, value?.reason ?? `${tag.tag} is no single value`)
  } catch (error) {
    if (error instanceof EthernetIpRefusal)
      return badReading(tag.name, `${tag.tag}: ${error.message}`)
    throw error
  }
}
