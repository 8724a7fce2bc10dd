import { encodeBson, decodePayload } from '@longreach/device-protocol/payload'
import type { Leaf } from '@longreach/device-protocol/read-configuration'
import { introspectionOf, topicsOf } from '@longreach/device-protocol/topics'
import type { Value } from '@longreach/device-protocol/value'
import { agentInterfaces } from '@longreach/device-protocol/agent-names'
import type { Logger } from 'pino'
import { type AgentSide, createAgentChannel } from './agent-channel.ts'
import { type AgentAlarms, alarmEntry } from './alarms.ts'
import type { Applied } from './applied-configuration.ts'
import { connect, type Connection } from './connection.ts'
import { createDelivery } from './delivery.ts'
import type { Outbox } from './outbox.ts'
import type { Credentials } from './pairing.ts'
import { pause } from './retry.ts'
import type { Tag } from './tags.ts'

type SessionOptions = {
  credentials: Credentials
  broker: string
  applied: Applied
  outbox: Outbox
  tags: () => readonly Tag[]
  /**
   * Decides whether to apply this configuration, which differs from the applied one; if so the
   * session ends.
   */
  accepts: (configuration: string) => boolean
  onWrite: (leaf: Leaf, value: Value) => void
  agent: AgentSide
  alarms: Pick<AgentAlarms, 'receive' | 'repeat'>
  /** Registers a listener for changed tags; returns how to remove it. */
  onTags: (listener: () => void) => () => void
  log: Logger
  signal: AbortSignal
}

/** Reason for the end of a session, with a configuration to apply before the next one. */
type End = { reason: string; configuration?: string }

/** Time that values wait for the platform to send a configuration. */
const settleMs = 3_000
const pumpEveryMs = 1_000

/** Runs one connection to its end. Throws when it could not be made. */
export async function runSession(options: SessionOptions): Promise<End> {
  const { credentials, applied, log, signal } = options
  const topics = topicsOf(credentials.realm, credentials.logicalId)
  const settled = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<End>()

  const channel = createAgentChannel(options.agent, topics, log)

  const connection = await connect(credentials, options.broker, (topic, payload) => {
    if (topic === topics.agentCommand) return void channel.receive(payload)
    if (topic === topics.alarmCommand) return takeAlarmCommand(options, payload)
    if (topic === topics.applyConfiguration) {
      const text = textOf(payload)
      if (text === undefined) return log.warn('the platform sent a configuration that is no text')
      if (text === applied.text || !options.accepts(text)) return settled.resolve()
      return ended.resolve({ reason: 'a new configuration', configuration: text })
    }
    return takeWrite(options, topic.slice(topics.base.length), payload)
  })
  void connection.lost.then((reason) => ended.resolve({ reason }))
  const stop = () => ended.resolve({ reason: 'the agent stops' })
  signal.addEventListener('abort', stop, { once: true })
  // A stop during the connection attempt is not reported again.
  if (signal.aborted) stop()
  try {
    await announce(connection, topics, options)
    channel.start(connection)
    options.agent.connected()
    options.alarms.repeat()
    log.info({ broker: options.broker, device: credentials.logicalId }, 'connected to the platform')
    const early = await Promise.race([ended.promise, settled.promise, pause(settleMs, signal)])
    return early ?? (await deliver(connection, ended.promise, options))
  } finally {
    channel.stop()
    signal.removeEventListener('abort', stop)
    if (signal.aborted) await connection.close()
    else connection.abandon()
  }
}

/** Handles a message on the topic of a value: a write. */
function takeWrite(
  { applied, onWrite, log }: SessionOptions,
  endpoint: string,
  payload: Uint8Array,
) {
  const leaf = applied.configuration?.byServerEndpoint.get(endpoint)
  const decoded = leaf && decodePayload(payload)
  if (!leaf || !decoded) return
  if (decoded.ok && decoded.v !== null) return onWrite(leaf, decoded.v)
  const why = decoded.ok ? 'no value' : decoded.reason
  log.warn({ path: leaf.path }, `a write is not understood: ${why}`)
}

/** Handles a command about an alarm of the agent. */
function takeAlarmCommand({ alarms, log }: SessionOptions, payload: Uint8Array) {
  const decoded = decodePayload(payload)
  if (decoded.ok) return alarms.receive(decoded.v)
  return log.warn(`a command about an alarm is not understood: ${decoded.reason}`)
}

type Topics = ReturnType<typeof topicsOf>

/**
 * Sends a device's first messages in their fixed order: subscriptions, introspection, empty cache,
 * configuration, tags.
 */
async function announce(connection: Connection, topics: Topics, { applied, tags }: SessionOptions) {
  const { configuration, text } = applied
  await connection.subscribe([
    topics.consumerProperties,
    topics.applyConfiguration,
    topics.alarmCommand,
    topics.agentCommand,
    ...[...(configuration?.byServerEndpoint.keys() ?? [])].map(topics.value),
  ])
  const interfaces = (configuration?.interfaces ?? []).map((one) => ({
    name: one.interface_name,
    major: one.version_major,
    minor: one.version_minor,
  }))
  await connection.publish(topics.base, introspectionOf([...interfaces, ...agentInterfaces]), 2)
  await connection.publish(topics.emptyCache, '1', 2)
  // Before any configuration the text is two quotation marks.
  await connection.publish(topics.configuration, encodeBson({ v: text ?? '""', t: Date.now() }), 2)
  await connection.publish(topics.availableTags, tagList(tags()), 2)
}

const tagList = (tags: readonly Tag[]) =>
  encodeBson({
    v: JSON.stringify(tags.map(({ name, type, writable }) => ({ name, type, writable }))),
    t: Date.now(),
  })

/** Sends the outbox until the connection ends. */
async function deliver(
  connection: Connection,
  ended: Promise<End>,
  { applied, outbox, tags, onTags, credentials, log }: SessionOptions,
) {
  const topics = topicsOf(credentials.realm, credentials.logicalId)
  const endpoints = new Map(
    applied.configuration?.leaves.map(({ path, deviceEndpoint }) => [path, deviceEndpoint]),
  )
  const told = new Set<string>()
  const delivery = createDelivery({
    outbox,
    // An alarm is exactly once at the platform: a device completes it when it is stored there.
    publish: (topic, payload) => connection.publish(topic, payload, topic === topics.alarm ? 2 : 1),
    topicOf(path) {
      if (path === alarmEntry) return topics.alarm
      const endpoint = endpoints.get(path)
      return endpoint === undefined ? undefined : topics.value(endpoint)
    },
    onUnmapped(path) {
      if (!told.has(path))
        log.warn(
          { path },
          'kept values of this path are given up: the configuration has it no more',
        )
      told.add(path)
    },
  })
  let advertised = tags().length
  const advertise = () => {
    advertised = tags().length
    // A lost connection ends the session, and the next one sends the list again.
    connection.publish(topics.availableTags, tagList(tags()), 2).catch(() => undefined)
  }
  const timer = setInterval(() => {
    delivery.pump()
    if (tags().length !== advertised) advertise()
  }, pumpEveryMs)
  const untag = onTags(advertise)
  const unlisten = outbox.onAdded(delivery.pump)
  delivery.pump()
  try {
    return await ended
  } finally {
    clearInterval(timer)
    unlisten()
    untag()
    delivery.stop()
  }
}

function textOf(payload: Uint8Array) {
  const decoded = decodePayload(payload)
  return decoded.ok && typeof decoded.v === 'string' ? decoded.v : undefined
}
