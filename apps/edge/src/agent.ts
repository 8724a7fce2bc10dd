import { createHash } from 'node:crypto'
import path from 'node:path'
import { coerce } from '@longreach/device-protocol/coerce'
import { isStructValue, type Value } from '@longreach/device-protocol/value'
import { type Leaf, readConfiguration } from '@longreach/device-protocol/read-configuration'
import type { Logger } from 'pino'
import { loadApplied, saveConfiguration } from './applied-configuration.ts'
import { Outbox } from './outbox.ts'
import type { Entry } from './outbox-file.ts'
import { type Credentials, pair } from './pairing.ts'
import { backoff, messageOf, pause } from './retry.ts'
import { createTagSampler } from './sample-tags.ts'
import { createValueSender } from './sender.ts'
import { runSession } from './session.ts'
import { createAgentSide } from './agent-side.ts'
import { AgentAlarms } from './alarms.ts'
import type { AgentSettings } from './settings.ts'
import type { Supervision } from './supervision.ts'
import { createRunningSources } from './running-sources.ts'
import { agentSource } from './source-agent.ts'
import { readSources } from './source-file.ts'
import { createTagTable, goodReading, type Reading } from './tags.ts'

export type Agent = { stop: () => Promise<void> }

/** Remaining life of a certificate below which it is renewed. */
const renewBeforeMs = 24 * 60 * 60 * 1_000
const dueEveryMs = 1_000

/**
 * Starts the agent: it reads the sources, stores what the configuration wants sent, and sends it
 * whenever the platform is reachable. Runs until stopped; failures are logged and retried.
 */
export function startAgent(settings: AgentSettings, log: Logger, supervision?: Supervision): Agent {
  const plant = startPlantSide(settings, log, supervision)
  const stopping = new AbortController()
  const running = keepConnected(settings, plant, log, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
      await plant.stop()
    },
  }
}

type PlantSide = ReturnType<typeof startPlantSide>

/** Starts everything that works without the platform: sources, tags, policies, outbox, writes. */
function startPlantSide(settings: AgentSettings, log: Logger, supervision?: Supervision) {
  const dir = path.join(settings.dataDir, folderOf(settings.activationKey))
  const outbox = openOutbox(dir, settings, log)
  const table = createTagTable()
  const sampler = createTagSampler(table)
  let applied = loadApplied(dir)
  const senderOf = () =>
    applied.configuration && createValueSender(applied.configuration, table, log)
  let sender = senderOf()
  const add = (entries: readonly Entry[]) => outbox.add(entries)
  const alarms = new AgentAlarms({ alarms: settings.alarms, dir, add, log })
  const list = readSources(dir) ?? { version: 0, at: 0, sources: settings.sources }
  if (list.version > 0) log.info({ dir }, 'the sources are those that were set from the platform')

  function accept(readings: readonly Reading[]) {
    for (const reading of table.accept(readings)) {
      if (reading.good) log.info({ tag: reading.tag }, 'has good values again')
      else log.warn({ tag: reading.tag }, `has no good value: ${reading.reason}`)
    }
    sampler.take(readings)
    outbox.add(sender?.accept(readings) ?? [])
    alarms.take(readings)
  }
  const sources = createRunningSources({
    log,
    dataDir: settings.dataDir,
    fixed: [agentSource(outbox)],
    report: accept,
  })
  void sources.replace(list.sources)
  const side = createAgentSide({ settings, dir, list, sources, outbox, sampler, supervision, log })
  const timer = setInterval(() => {
    outbox.add(sender?.due() ?? [])
    alarms.due()
  }, dueEveryMs)

  /** Writes one tag and stores the value that the machine then holds. */
  async function writeTag(tag: string, value: Value) {
    const source = sources.ofTag(tag)
    if (!source) throw new Error(`no source has a tag ${tag}`)
    table.accept([goodReading(tag, await source.write(tag, value))])
  }

  return {
    outbox,
    tags: sources.tags,
    onTags: sources.onReplaced,
    side,
    alarms,
    get applied() {
      return applied
    },
    accepts: (text: string) => isApplicable(text, log),
    apply(text: string) {
      applied = { text, configuration: readConfiguration(text) }
      try {
        saveConfiguration(dir, text)
      } catch (error) {
        log.error(`the configuration is not kept for the next start: ${messageOf(error)}`)
      }
      sender = senderOf()
      // Readings that were taken before: alarms have judged them.
      const last = sources.tags().flatMap(({ name }) => table.last(name) ?? [])
      outbox.add(sender?.accept(last) ?? [])
    },
    async write(leaf: Leaf, value: Value) {
      try {
        for (const [tag, one] of targetsOf(leaf, value)) await writeTag(tag, one)
        log.info({ path: leaf.path }, 'written')
      } catch (error) {
        log.warn({ path: leaf.path }, `not written: ${messageOf(error)}`)
      }
      // After a failure too, so that the platform gets the value that the machine still holds.
      outbox.add(sender?.confirm(leaf) ?? [])
    },
    async stop() {
      clearInterval(timer)
      await sources.stop()
      alarms.save()
      outbox.close()
    },
  }
}

/** True for a configuration that can be applied; another one is logged. */
function isApplicable(text: string, log: Logger) {
  try {
    readConfiguration(text)
    return true
  } catch (error) {
    log.error(`the platform's configuration is not applied: ${messageOf(error)}`)
    return false
  }
}

function openOutbox(dir: string, { buffer }: AgentSettings, log: Logger) {
  const lossTold = new Set<string>()
  return new Outbox({
    dir: path.join(dir, 'outbox'),
    maxBytes: buffer.maxMB * 1_000_000,
    drop: buffer.drop,
    onDrop(count, reason) {
      // Logged once for each reason, so that the log does not fill a full disk further.
      if (!lossTold.has(reason)) log.error({ count }, `${reason}; agent.dropped counts on`)
      lossTold.add(reason)
    },
  })
}

/** Folder of one device, so that its values are never sent as another's. */
const folderOf = (activationKey: string) =>
  createHash('sha256').update(activationKey).digest('hex').slice(0, 16)

/** Tags and values of a write, which may set a whole struct. Throws when the type is wrong. */
function targetsOf({ type, fields, source, fieldSources, path: at }: Leaf, value: Value) {
  const coerced = coerce(value, type, fields)
  if (!coerced.ok) throw new Error(coerced.reason)
  if (source !== undefined) return [[source, coerced.value]] as const
  const struct = coerced.value
  if (!fieldSources || !isStructValue(struct)) throw new Error(`${at} belongs to no tag`)
  return Object.entries(fieldSources).flatMap(([field, tag]) => {
    const one = struct[field]
    return one === undefined || one === null ? [] : [[tag, one] as const]
  })
}

/** Pairs and connects, repeatedly, while the agent runs. */
async function keepConnected(
  settings: AgentSettings,
  plant: PlantSide,
  log: Logger,
  signal: AbortSignal,
) {
  const waiting = backoff(1_000, 15_000)
  let credentials: Credentials | undefined
  let turn = 0
  while (!signal.aborted) {
    try {
      if (credentials && credentials.expiresAt - Date.now() < renewBeforeMs) credentials = undefined
      credentials ??= await pair(settings, signal)
      const broker = credentials.brokers[turn % credentials.brokers.length] ?? ''
      const end = await runSession({
        credentials,
        broker,
        applied: plant.applied,
        outbox: plant.outbox,
        tags: plant.tags,
        accepts: plant.accepts,
        onWrite: (leaf, value) => void plant.write(leaf, value),
        agent: plant.side,
        alarms: plant.alarms,
        onTags: plant.onTags,
        log,
        signal,
      })
      waiting.reset()
      if (end.configuration !== undefined) {
        plant.apply(end.configuration)
        log.info('a new configuration is applied')
        continue
      }
      if (!signal.aborted) log.warn(`the connection ended: ${end.reason}; values are kept`)
    } catch (error) {
      if (signal.aborted) break
      log.warn(`not connected, values are kept: ${messageOf(error)}`)
      // The key may be replaced, the certificate revoked or the broker moved, so pair again.
      credentials = undefined
      turn += 1
    }
    await pause(waiting.next(), signal)
  }
}
