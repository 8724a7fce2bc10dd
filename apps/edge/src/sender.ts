import { coerce } from '@longreach/device-protocol/coerce'
import { encodeBson } from '@longreach/device-protocol/payload'
import type { Configuration, Leaf } from '@longreach/device-protocol/read-configuration'
import { createSender, type Sender } from '@longreach/device-protocol/send-policy'
import type { Sample, Value } from '@longreach/device-protocol/value'
import type { Logger } from 'pino'
import type { Entry } from './outbox-file.ts'
import type { Reading, TagTable } from './tags.ts'

type Feed = { leaf: Leaf; sender: Sender; tags: string[] }

/**
 * Selects the readings to send by the configuration's policies. Bad readings are never sent, and
 * while a tag is bad nothing is repeated, because the platform must not show a value that was not
 * measured.
 */
export function createValueSender(configuration: Configuration, table: TagTable, log: Logger) {
  const feeds = configuration.leaves.flatMap((leaf) => feedOf(leaf, table))
  const byTag = new Map<string, Feed[]>()
  for (const feed of feeds) {
    for (const tag of feed.tags) byTag.set(tag, [...(byTag.get(tag) ?? []), feed])
  }
  const told = new Set<string>()

  function entryOf({ path, type, fields }: Leaf, sample: Sample, uncertain: boolean): Entry[] {
    const coerced = coerce(sample.v, type, fields)
    if (coerced.ok) {
      const said = { v: coerced.value, t: sample.t, ...(uncertain && { q: 1 as const }) }
      return [{ path, payload: encodeBson(said) }]
    }
    if (!told.has(path)) log.warn({ path }, `a value is not sent: ${coerced.reason}`)
    told.add(path)
    return []
  }

  return {
    /** Entries caused by these readings. */
    accept(readings: readonly Reading[], now = Date.now()): Entry[] {
      const entries: Entry[] = []
      for (const reading of readings) {
        if (!reading.good) continue
        for (const { leaf, sender } of byTag.get(reading.tag) ?? []) {
          // Several readings of one tag may arrive together; each one is offered.
          const value = leaf.fieldSources ? valueOf(leaf, table) : reading.value
          if (value === undefined) continue
          const sample = sender.offer(value, reading.t, now)
          const uncertain = leaf.fieldSources
            ? isLeafUncertain(leaf, table)
            : reading.uncertain === true
          if (sample) entries.push(...entryOf(leaf, sample, uncertain))
        }
      }
      return entries
    },

    /** Entries that have become due; called once a second. */
    due(now = Date.now()): Entry[] {
      return feeds.flatMap(({ leaf, sender }) => {
        if (valueOf(leaf, table) === undefined) return []
        const sample = sender.due(now)
        return sample ? entryOf(leaf, sample, isLeafUncertain(leaf, table)) : []
      })
    },

    /** Entry with the machine's value after a write, as the confirmation, whatever the policy. */
    confirm(leaf: Leaf, now = Date.now()): Entry[] {
      const owner = feeds.find((feed) => feed.leaf === leaf || isFieldOf(leaf, feed.leaf))
      const target = owner?.leaf ?? leaf
      const value = valueOf(target, table)
      if (value === undefined || target.deviceEndpoint === undefined) return []
      owner?.sender.offer(value, now, now)
      return entryOf(target, { v: value, t: now }, isLeafUncertain(target, table))
    },
  }
}

const isFieldOf = ({ path }: Leaf, struct: Leaf) =>
  struct.fields !== undefined && path.startsWith(`${struct.path}/`)

function feedOf(leaf: Leaf, table: TagTable): Feed[] {
  const tags = leaf.fieldSources ? Object.values(leaf.fieldSources) : [leaf.source]
  const named = tags.filter((tag) => tag !== undefined)
  if (!leaf.sendPolicy || leaf.deviceEndpoint === undefined || named.length === 0) return []
  const sender = createSender(leaf.sendPolicy, (tag) => table.value(tag))
  return [{ leaf, sender, tags: named }]
}

/** True when any field of the leaf is uncertain. */
const isLeafUncertain = ({ source, fieldSources }: Leaf, table: TagTable) =>
  Object.values(fieldSources ?? { source }).some(
    (tag) => tag !== undefined && table.isUncertain(tag),
  )

/** Value of a leaf from the tags; undefined while one of them is unknown or bad. */
function valueOf({ source, fieldSources }: Leaf, table: TagTable): Value | undefined {
  if (!fieldSources) return source === undefined ? undefined : table.value(source)
  const fields: [string, Value][] = []
  for (const [name, tag] of Object.entries(fieldSources)) {
    const value = table.value(tag)
    if (value === undefined) return undefined
    fields.push([name, value])
  }
  return Object.fromEntries(fields)
}
