import { setTimeout } from 'node:timers/promises'
import { coerce } from '@longreach/device-protocol/coerce'
import type { Value } from '@longreach/device-protocol/value'
import type { DataValue } from 'node-opcua-client'
import type { Logger } from 'pino'
import { openOpcua, type OpcuaSession } from './opcua-session.ts'
import { backoff, messageOf, pause } from './retry.ts'
import type { OpcuaSettings } from './source-settings.ts'
import {
  badReading,
  goodReading,
  type Reading,
  type Report,
  type Source,
  uncertainReading,
} from './tags.ts'

/** Time that a server has to answer the end of a session. */
const goodbyeMs = 5_000

type TagSettings = OpcuaSettings['tags'][number]

/** Tags of an OPC UA server, which reports changes. A new session after every loss. */
export function opcuaSource(
  settings: OpcuaSettings,
  { log, dataDir }: { log: Logger; dataDir: string },
): Source {
  const stopping = new AbortController()
  let connected: OpcuaSession | undefined
  let running: Promise<void> = Promise.resolve()

  async function run(report: Report) {
    const waiting = backoff(500, 30_000)
    const ended = aborted(stopping.signal)
    while (!stopping.signal.aborted) {
      try {
        const lost = Promise.withResolvers<never>()
        lost.promise.catch(() => undefined) // awaited below once the session is open
        const tell = (message: string) => log.debug(message)
        const opening = openOpcua(settings, { dataDir, tell, onLost: lost.reject })
        connected = await Promise.race([opening, ended])
        if (!connected) {
          // Stopped while connecting: a silent server is not waited for, and a session is closed.
          opening
            .then(({ close }) => close())
            .catch((error: unknown) => log.debug(`${settings.url}: ${messageOf(error)}`))
          return
        }
        await Promise.race([subscribe(connected, settings, report), lost.promise, ended])
        if (!stopping.signal.aborted)
          log.info({ source: settings.name }, `connected to ${settings.url}`)
        waiting.reset()
        await Promise.race([lost.promise, ended])
      } catch (error) {
        if (!stopping.signal.aborted) {
          const reason = messageOf(error)
          log.warn({ source: settings.name }, `${settings.url}: ${reason}`)
          report(settings.tags.map(({ name }) => badReading(name, reason)))
        }
      }
      const closing = connected?.close()
      connected = undefined
      await Promise.race([closing, setTimeout(goodbyeMs, undefined, { ref: false })])
      await pause(waiting.next(), stopping.signal)
    }
  }

  return {
    name: settings.name,
    tags: () => settings.tags.map(({ name, type, writable }) => ({ name, type, writable })),
    start(report) {
      running = run(report)
    },
    async write(name, value) {
      const tag = settings.tags.find((one) => one.name === name)
      if (!tag?.writable) throw new Error(`${name} cannot be written`)
      if (!connected) throw new Error(`${settings.url} is not connected`)
      return writeNode(connected, tag, value)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

async function subscribe(
  { library, session }: OpcuaSession,
  settings: OpcuaSettings,
  report: Report,
) {
  const { AttributeIds, ClientMonitoredItemGroup, ClientSubscription, TimestampsToReturn } = library
  const subscription = ClientSubscription.create(session, {
    requestedPublishingInterval: settings.samplingMs,
    requestedMaxKeepAliveCount: 10,
    requestedLifetimeCount: 100,
    maxNotificationsPerPublish: 1_000,
    publishingEnabled: true,
    priority: 1,
  })
  const items = settings.tags.map(({ node }) => ({
    nodeId: node,
    attributeId: AttributeIds.Value,
  }))
  const group = ClientMonitoredItemGroup.create(
    subscription,
    items,
    { samplingInterval: settings.samplingMs, queueSize: 20, discardOldest: true },
    TimestampsToReturn.Both,
  )
  group.on('changed', (_, dataValue, index) => {
    const tag = settings.tags[index]
    if (tag) report([toOpcuaReading(tag, dataValue)])
  })
  await new Promise<void>((resolve, reject) => {
    group.on('initialized', resolve)
    group.on('err', (message) => reject(new Error(message)))
    subscription.on('terminated', () => reject(new Error('the server ended the subscription')))
  })
  // Nodes that the server does not have are reported once, as bad tags.
  for (const [index, item] of group.monitoredItems.entries()) {
    const tag = settings.tags[index]
    if (tag && !item.statusCode.isGood()) {
      report([badReading(tag.name, `${tag.node}: ${item.statusCode.name}`)])
    }
  }
}

/** Quality of a status code, its highest two bits: 0 good, 1 uncertain, 2 bad. */
const isUncertainStatus = (status: number) => status >>> 30 === 1

/** Reading of a tag from a data value. */
export function toOpcuaReading(
  { name, type }: Pick<TagSettings, 'name' | 'type'>,
  dataValue: DataValue,
): Reading {
  const t = (dataValue.sourceTimestamp ?? dataValue.serverTimestamp ?? new Date()).getTime()
  const uncertain = isUncertainStatus(dataValue.statusCode.value)
  if (!uncertain && !dataValue.statusCode.isGood()) {
    return badReading(name, dataValue.statusCode.name, t)
  }
  const raw = plain(dataValue.value.value as unknown)
  const coerced = raw === undefined ? undefined : coerce(raw, type)
  if (coerced?.ok) return (uncertain ? uncertainReading : goodReading)(name, coerced.value, t)
  return badReading(name, coerced ? coerced.reason : 'the node has a value of an unknown kind', t)
}

/** Value of a variant: 64-bit integers are two halves, times are dates, texts have a language. */
export function plain(raw: unknown): Value | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'string') return raw
  if (raw instanceof Date) return raw.getTime()
  if (Array.isArray(raw) && raw.length === 2 && raw.every((half) => typeof half === 'number')) {
    const [high, low] = raw as [number, number] // checked in the line above
    return high * 4_294_967_296 + low
  }
  const text = (raw as { text?: unknown } | null)?.text
  return typeof text === 'string' ? text : undefined
}

async function writeNode({ library, session }: OpcuaSession, tag: TagSettings, value: Value) {
  const { AttributeIds, DataType, resolveNodeId } = library
  const nodeId = resolveNodeId(tag.node)
  const dataType = await session.getBuiltInDataType(nodeId)
  const whole = dataType >= DataType.SByte && dataType <= DataType.UInt64
  const status = await session.write({
    nodeId,
    attributeId: AttributeIds.Value,
    value: {
      value: { dataType, value: whole && typeof value === 'number' ? Math.round(value) : value },
    },
  })
  if (!status.isGood()) throw new Error(`the server refuses the value: ${status.name}`)
  const back = toOpcuaReading(tag, await session.read({ nodeId, attributeId: AttributeIds.Value }))
  if (!back.good) throw new Error(back.reason)
  return back.value
}
