import type { Controller as Library, Tag as LibraryTag } from 'st-ethernet-ip'
import type { EthernetIpSettings } from './source-settings.ts'

type Endpoint = Pick<EthernetIpSettings, 'host' | 'slot' | 'timeoutMs'>
type Named = { tag: string; program?: string | undefined }
type ListedTag = {
  tag: string
  program: string | null
  type: string
  structure: boolean
  dimensions: number
}
export type EthernetIpConnection = Awaited<ReturnType<typeof openEthernetIp>>

/** Texts of the general status codes of a controller. */
const refusals: Record<number, string> = {
  4: 'the controller does not know this tag',
  5: 'the controller does not know this tag',
  8: 'the controller does not offer this service',
  15: 'the controller does not allow it (External Access)',
  255: 'the tag is of another kind',
}

/** Opens a session with a Logix controller. Throws when that fails. */
export async function openEthernetIp({ host, slot, timeoutMs }: Endpoint) {
  const { Controller, Tag, TagList } = await import('st-ethernet-ip')
  // Unconnected messages, because a controller has few connections.
  const plc: Library = new Controller(false)
  plc.timeout_sp = timeoutMs
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined) // reported by the requests that wait for it
  plc.on('error', (error: Error) => lost.reject(error))
  plc.on('close', () => lost.reject(new Error('the connection was lost')))
  const close = async () => {
    // The library unregisters and destroys; its own disconnect would wait for an answer.
    plc.destroy()
  }
  /**
   * Time limit and error conversion: the library sometimes waits without end, or throws plain
   * objects.
   */
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('no answer in time')), timeoutMs + 1_000)
    try {
      return await Promise.race([work, lost.promise, late.promise])
    } catch (error) {
      const { generalStatusCode: code } = (error ?? {}) as { generalStatusCode?: number }
      if (code === undefined) throw error
      throw new EthernetIpRefusal(refusals[code] ?? `the controller refuses it (status ${code})`)
    } finally {
      clearTimeout(timer)
    }
  }
  try {
    await within(plc.connect(host, slot, false))
  } catch (error) {
    await close()
    throw error
  }
  const kept = new Map<string, LibraryTag>()
  const libraryTag = ({ tag, program }: Named) => {
    const key = `${program ?? ''}:${tag}`
    const one = kept.get(key) ?? new Tag(tag, program)
    kept.set(key, one)
    return one
  }
  return {
    close,
    async identity() {
      await within(plc.readControllerProps())
      const { name, version } = plc.properties
      return `${name} ${version}`.trim()
    },
    async read(named: Named): Promise<unknown> {
      const tag = libraryTag(named)
      await within(plc.readTag(tag))
      return tag.value as unknown
    },
    async write(named: Named, value: unknown) {
      const tag = libraryTag(named)
      // The type is the one that the controller reported when the tag was read.
      await within(plc.readTag(tag))
      await within(plc.writeTag(tag, value))
    },
    async list(): Promise<ListedTag[]> {
      const list = new TagList()
      const tags = await within(list.getControllerTags(plc))
      return tags
        .filter(({ name, type }) => !type.reserved && !/^(__|[A-Za-z]+:)/.test(name))
        .map(({ name, program, type }) => ({
          tag: name,
          program: program || null,
          type: type.typeName || (type.structure ? 'STRUCT' : 'UNKNOWN'),
          structure: type.structure,
          dimensions: type.arrayDims,
        }))
    },
  }
}

/** Refusal of one tag by a controller that is reachable. */
export class EthernetIpRefusal extends Error {}
