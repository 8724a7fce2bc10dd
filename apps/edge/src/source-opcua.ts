import { coerce } from '@longreach/device-protocol/coerce'
import type { Value } from '@longreach/device-protocol/value'
import type { ClientSession, DataValue, OPCUAClient, UserIdentityInfo } from 'node-opcua-client'
import type { Logger } from 'pino'
import { opcuaClient, type OpcuaClientLibrary } from './opcua-library.ts'
import { backoff, messageOf, pause } from './retry.ts'
import type { OpcuaSettings } from './settings.ts'
import { badReading, goodReading, type Reading, type Report, type Source } from './tags.ts'

type TagSettings = OpcuaSettings['tags'][number]
type Connected = { library: OpcuaClientLibrary; client: OPCUAClient; session: ClientSession }

/** Tags of an OPC UA server, which reports their changes. A new session after every loss. */
export function opcuaSource(
  settings: OpcuaSettings,
  { log, dataDir }: { log: Logger; dataDir: string },
): Source {
  const stopping = new AbortController()
  let connected: Connected | undefined
  let running: Promise<void> = Promise.resolve()

  async function run(report: Report) {
    const waiting = backoff(500, 30_000)
    while (!stopping.signal.aborted) {
      try {
        const library = await opcuaClient(dataDir, (message) => log.debug(message))
        const lost = Promise.withResolvers<never>()
        connected = await open(library, settings, lost.reject)
        await subscribe(connected, settings, report)
        log.info({ source: settings.name }, `connected to ${settings.url}`)
        waiting.reset()
        await Promise.race([lost.promise, aborted(stopping.signal)])
      } catch (error) {
        const reason = messageOf(error)
        log.warn({ source: settings.name }, `${settings.url}: ${reason}`)
        report(settings.tags.map(({ name }) => badReading(name, reason)))
      }
      await close(connected)
      connected = undefined
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
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function open(
  library: OpcuaClientLibrary,
  { url, name, security, username, password }: OpcuaSettings,
  onLost: (reason: Error) => void,
): Promise<Connected> {
  const { MessageSecurityMode, OPCUAClient, SecurityPolicy, UserTokenType } = library
  const client = OPCUAClient.create({
    applicationName: 'Longreach edge',
    clientName: name,
    endpointMustExist: false,
    securityMode: MessageSecurityMode[security],
    securityPolicy: security === 'None' ? SecurityPolicy.None : SecurityPolicy.Basic256Sha256,
    // The source makes a new session by itself after every loss.
    connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 },
    keepSessionAlive: true,
  })
  client.on('connection_lost', () => onLost(new Error('the connection was lost')))
  client.on('close', () => onLost(new Error('the connection was closed')))
  const user: UserIdentityInfo =
    username === undefined
      ? { type: UserTokenType.Anonymous }
      : { type: UserTokenType.UserName, userName: username, password: password ?? '' }
  try {
    await client.connect(url)
    return { library, client, session: await client.createSession(user) }
  } catch (error) {
    await client.disconnect()
    throw error
  }
}

async function close(connected: Connected | undefined) {
  try {
    await connected?.client.disconnect()
  } catch {
    // The server is gone already; there is nobody to say goodbye to.
  }
}

async function subscribe({ library, session }: Connected, settings: OpcuaSettings, report: Report) {
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
    if (tag) report([readingOf(tag, dataValue)])
  })
  await new Promise<void>((resolve, reject) => {
    group.on('initialized', resolve)
    group.on('err', (message) => reject(new Error(message)))
    subscription.on('terminated', () => reject(new Error('the server ended the subscription')))
  })
  // Nodes that the server does not have are told once, as bad tags.
  for (const [index, item] of group.monitoredItems.entries()) {
    const tag = settings.tags[index]
    if (tag && !item.statusCode.isGood()) {
      report([badReading(tag.name, `${tag.node}: ${item.statusCode.name}`)])
    }
  }
}

function readingOf({ name, type }: TagSettings, dataValue: DataValue): Reading {
  const t = (dataValue.sourceTimestamp ?? dataValue.serverTimestamp ?? new Date()).getTime()
  if (!dataValue.statusCode.isGood()) return badReading(name, dataValue.statusCode.name, t)
  const raw = plain(dataValue.value.value as unknown)
  const coerced = raw === undefined ? undefined : coerce(raw, type)
  if (coerced?.ok) return goodReading(name, coerced.value, t)
  return badReading(name, coerced ? coerced.reason : 'the node has a value of an unknown kind', t)
}

/** A variant's content as a value: 64-bit integers come as two halves, times as dates, texts with a language. */
function plain(raw: unknown): Value | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'string') return raw
  if (raw instanceof Date) return raw.getTime()
  if (Array.isArray(raw) && raw.length === 2 && raw.every((half) => typeof half === 'number')) {
    const [high, low] = raw as [number, number] // checked in the line above
    return high * 4_294_967_296 + low
  }
  const text = (raw as { text?: unknown } | null)?.text
  return typeof text === 'string' ? text : undefined
}

async function writeNode({ library, session }: Connected, tag: TagSettings, value: Value) {
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
  const back = readingOf(tag, await session.read({ nodeId, attributeId: AttributeIds.Value }))
  if (!back.good) throw new Error(back.reason)
  return back.value
}
