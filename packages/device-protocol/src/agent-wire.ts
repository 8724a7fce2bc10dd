import { z } from 'zod'

/** Largest command or answer in bytes. */
export const longestCommand = 512 * 1024
export const longestAnswer = 1024 * 1024

const name = z.string().min(1).max(200)
const host = z.string().min(1).max(255)
const url = z.string().min(1).max(2_000)
const port = z.int().min(1).max(65_535)
/** Source as in the agent's settings; the agent validates every field. */
const source = z.record(z.string().max(100), z.unknown())
/** Version of the agent's list of sources that the change is based on. */
const version = z.int().min(0)

const Inputs = {
  'agent.health': z.strictObject({}),
  'sources.read': z.strictObject({}),
  'sources.save': z.strictObject({ version, source, replaces: name.optional() }),
  'sources.remove': z.strictObject({ version, name }),
  'sources.restore': z.strictObject({ version }),
  'source.test': z.strictObject({ source, replaces: name.optional() }),
  'tags.sample': z.strictObject({
    tags: z.array(name).min(1).max(1_000),
    forMs: z.int().min(0).max(60_000).default(10_000),
  }),
  'opcua.endpoints': z.strictObject({ url }),
  'opcua.browse': z.strictObject({ source, replaces: name.optional(), node: url.optional() }),
  'opcua.search': z.strictObject({
    source,
    replaces: name.optional(),
    text: z.string().min(1).max(200),
  }),
  'modbus.scan': z.strictObject({
    host,
    port: port.default(502),
    units: z.array(z.int().min(0).max(255)).min(1).max(32),
    areas: z
      .array(z.enum(['holding', 'input', 'coil', 'discrete']))
      .min(1)
      .max(4),
    from: z.int().min(0).max(65_535).default(0),
    count: z.int().min(1).max(2_000).default(100),
    timeoutMs: z.int().min(50).max(10_000).default(500),
  }),
  'mqtt.listen': z.strictObject({
    source,
    replaces: name.optional(),
    topic: z.string().min(1).max(1_000).default('#'),
    forMs: z.int().min(100).max(15_000).default(3_000),
  }),
  'ethernetip.tags': z.strictObject({ source, replaces: name.optional() }),
  's7.read': z.strictObject({
    source,
    replaces: name.optional(),
    area: z.enum(['DB', 'M', 'I', 'Q']),
    db: z.int().min(1).max(65_535).default(1),
    from: z.int().min(0).max(65_535).default(0),
    count: z.int().min(1).max(400).default(64),
  }),
} as const

const asked = <N extends string, I extends z.ZodType>(command: N, input: I) =>
  z.object({ command: z.literal(command), input })

const forAnybody = [
  asked('agent.health', Inputs['agent.health']),
  asked('sources.read', Inputs['sources.read']),
  asked('sources.save', Inputs['sources.save']),
  asked('sources.remove', Inputs['sources.remove']),
  asked('sources.restore', Inputs['sources.restore']),
  asked('source.test', Inputs['source.test']),
  asked('tags.sample', Inputs['tags.sample']),
  asked('opcua.endpoints', Inputs['opcua.endpoints']),
  asked('opcua.browse', Inputs['opcua.browse']),
  asked('opcua.search', Inputs['opcua.search']),
  asked('modbus.scan', Inputs['modbus.scan']),
  asked('mqtt.listen', Inputs['mqtt.listen']),
  asked('ethernetip.tags', Inputs['ethernetip.tags']),
  asked('s7.read', Inputs['s7.read']),
] as const

/**
 * Command to an agent, as a person gives it. For an update the platform adds the download address.
 */
export const AgentRequest = z.discriminatedUnion('command', [
  ...forAnybody,
  asked(
    'agent.update',
    /** `downgrade`: accept a version older than the running one. */
    z.strictObject({ version: name, downgrade: z.boolean().optional() }),
  ),
])
export type AgentRequest = z.output<typeof AgentRequest>

export const UpdateOrder = z.strictObject({
  version: name,
  /**
   * Hex hash of the file, which the signature covers, so that the download needs no secure
   * connection.
   */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z
    .int()
    .min(1)
    .max(64 * 1024 * 1024),
  /** First time that the platform had the version, in ms since 1970. */
  releasedAt: z.number().optional(),
  downgrade: z.boolean().optional(),
  /**
   * Signature over all of the above by the platform's release key, in base64; required by agents
   * with a key.
   */
  signature: z.string().max(200).optional(),
})
export type UpdateOrder = z.output<typeof UpdateOrder>

const id = z.uuid()
/**
 * Release key for future updates. An agent keeps a key that it already has, unless that key
 * endorses the new one.
 */
const Trusted = z.strictObject({
  releaseKey: z.string().min(1).max(200),
  /** Signature of the new key by the old one, in base64. */
  endorsement: z.string().max(200).optional(),
})

/** Command as the agent receives it. */
export const AgentCommand = z.intersection(
  z.object({ id }),
  z.discriminatedUnion('command', [
    ...forAnybody,
    asked('agent.update', UpdateOrder),
    asked('agent.trust', Trusted),
  ]),
)
export type AgentCommand = z.output<typeof AgentCommand>

export const AgentFault = z.object({
  /** `invalid` names a field; for the other codes the message says what to do. */
  code: z.enum(['invalid', 'conflict', 'unreachable', 'not_possible', 'failed']),
  message: z.string().max(4_000),
  field: z.string().max(500).optional(),
})
export type AgentFault = z.output<typeof AgentFault>

export const AgentAnswer = z.union([
  z.object({ id, ok: z.literal(true), result: z.unknown() }),
  z.object({ id, ok: z.literal(false), error: AgentFault }),
])
export type AgentAnswer = z.output<typeof AgentAnswer>

const count = z.number().min(0)
export const SourceHealth = z.object({
  name: z.string().max(200),
  type: z.string().max(50),
  state: z.enum(['starting', 'ok', 'partly', 'failed']),
  tags: count,
  badTags: count,
  /** Readings per second over the last minute. */
  rate: count,
  errors: count,
  lastError: z.string().max(1_000).optional(),
  lastErrorAt: z.number().optional(),
  lastGoodAt: z.number().optional(),
})

export const UpdateState = z.object({
  state: z.enum(['downloading', 'trying', 'done', 'rolled_back', 'refused']),
  version: z.string().max(200),
  from: z.string().max(200),
  at: z.number(),
  reason: z.string().max(2_000).optional(),
})
export type UpdateState = z.output<typeof UpdateState>

/** State of an agent, sent when it connects and twice a minute. */
export const AgentHealth = z.object({
  /** Agent's clock in ms since 1970. */
  at: z.number(),
  version: z.string().max(200),
  startedAt: z.number(),
  node: z.string().max(100),
  system: z.string().max(200),
  hostName: z.string().max(255),
  /** CPU use in percent: of one core by the agent, of all cores by the machine. */
  cpu: z.object({ agent: count, machine: count }),
  /** Bytes. */
  memory: z.object({ agent: count, used: count, total: count }),
  disk: z.object({ used: count, total: count }).nullable(),
  buffer: z.object({
    waiting: count,
    dropped: count,
    bytes: count,
    maxBytes: count,
    oldestAt: z.number().nullable(),
  }),
  sources: z.array(SourceHealth).max(1_000),
  /** Remote changes that the agent's owner allows: of its sources, and updates. */
  remote: z.object({ configure: z.boolean(), update: z.boolean() }),
  update: UpdateState.nullable(),
  /** Release key of the agent; null before it has one, absent when it accepts any. */
  releaseKey: z.string().max(200).nullable().optional(),
})
export type AgentHealth = z.output<typeof AgentHealth>
