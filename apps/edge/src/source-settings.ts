import { z } from 'zod'
import { registerTypes, wordOrders } from './modbus-values.ts'
import { s7Types } from './s7-address.ts'

const name = z
  .string()
  .regex(
    /^[A-Za-z_][\w.-]{0,199}$/,
    'a name is a letter or _ and then letters, digits, ".", "-" or "_" (at most 200)',
  )
const intervalMs = z.number().int().min(50, 'at least 50 ms').max(86_400_000, 'at most one day')
const tcpPort = z.number().int().min(1).max(65_535)
const writable = z.boolean().default(false)
const simpleType = z.enum(['double', 'integer', 'boolean', 'string'], {
  error: 'the type is double, integer, boolean or string',
})

const ModbusTag = z
  .strictObject({
    name,
    area: z.enum(['holding', 'input', 'coil', 'discrete'], {
      error: 'the area is holding, input, coil or discrete',
    }),
    address: z.number().int().min(0, 'addresses count from 0').max(65_535),
    /** Type of registers; coils and discrete inputs are booleans. */
    type: z
      .enum(registerTypes, { error: `the type is ${registerTypes.join(', ')}` })
      .default('uint16'),
    wordOrder: z.enum(wordOrders).optional(),
    scale: z
      .number()
      .refine((scale) => scale !== 0, 'a scale of 0 makes every value 0')
      .default(1),
    offset: z.number().default(0),
    bit: z.number().int().min(0).max(15).default(0),
    length: z.number().int().min(1).max(120).default(1),
    unit: z.number().int().min(0).max(255).optional(),
    pollMs: intervalMs.optional(),
    writable,
  })
  .refine(({ area, writable: writes }) => !writes || area === 'holding' || area === 'coil', {
    message: 'only holding registers and coils can be written',
    path: ['writable'],
  })

const Modbus = z.strictObject({
  type: z.literal('modbus'),
  name: name.default('modbus'),
  host: z.string().min(1),
  port: tcpPort.default(502),
  unit: z.number().int().min(0).max(255).default(1),
  pollMs: intervalMs.default(1_000),
  timeoutMs: intervalMs.default(2_000),
  wordOrder: z.enum(wordOrders).default('ABCD'),
  tags: z.array(ModbusTag).min(1, 'a source without tags reads nothing'),
})
export type ModbusSettings = z.output<typeof Modbus>

const OpcuaTag = z.strictObject({
  name,
  node: z.string().regex(/^(ns=\d+;)?[isgb]=.+/, 'a node id looks like ns=1;s=Pump1.Speed'),
  type: simpleType.default('double'),
  writable,
})

const Opcua = z.strictObject({
  type: z.literal('opcua'),
  name: name.default('opcua'),
  url: z.string().regex(/^opc\.tcp:\/\/.+/, 'an OPC UA address starts with opc.tcp://'),
  security: z.enum(['None', 'Sign', 'SignAndEncrypt']).default('None'),
  /** Security policy; absent: the strongest of the usual ones. */
  policy: z
    .enum(['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'], {
      error: 'the policy is Basic256Sha256, Aes128_Sha256_RsaOaep or Aes256_Sha256_RsaPss',
    })
    .default('Basic256Sha256'),
  username: z.string().optional(),
  password: z.string().optional(),
  /** SHA-256 of the server certificate's DER in hex, as first trusted. */
  serverCertificate: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'the fingerprint is 64 hexadecimal digits')
    .optional(),
  samplingMs: intervalMs.default(500),
  tags: z.array(OpcuaTag).min(1, 'a source without tags reads nothing'),
})
export type OpcuaSettings = z.output<typeof Opcua>

const MqttTag = z.strictObject({
  name,
  topic: z
    .string()
    .min(1)
    .refine((topic) => !/[+#]/.test(topic), 'a tag has one topic, without + and #'),
  /** Path in a JSON payload, `a.b.0`; absent: the whole payload. */
  path: z.string().min(1).optional(),
  /** Path of the time in the payload, in ms since 1970 or ISO 8601; absent: the time of arrival. */
  timePath: z.string().min(1).optional(),
  type: simpleType.default('double'),
  writeTopic: z.string().min(1).optional(),
})

const Mqtt = z.strictObject({
  type: z.literal('mqtt'),
  name: name.default('mqtt'),
  url: z
    .string()
    .regex(/^(mqtts?|wss?):\/\/.+/, 'a broker address starts with mqtt:// or mqtts://'),
  username: z.string().optional(),
  password: z.string().optional(),
  /** Time that a write waits for the new value on the tag's topic. */
  confirmMs: intervalMs.default(5_000),
  tags: z.array(MqttTag).min(1, 'a source without tags reads nothing'),
})
export type MqttSettings = z.output<typeof Mqtt>

const S7Tag = z
  .strictObject({
    name,
    area: z.enum(['DB', 'M', 'I', 'Q'], { error: 'the area is DB, M, I or Q' }),
    db: z.number().int().min(1).max(65_535).optional(),
    offset: z.number().int().min(0, 'offsets count from 0').max(65_535),
    type: z.enum(s7Types, { error: `the type is ${s7Types.join(', ')}` }),
    bit: z.number().int().min(0).max(7).default(0),
    /** Length of a string in characters, as declared in the block. */
    length: z.number().int().min(1).max(254).default(254),
    scale: z
      .number()
      .refine((scale) => scale !== 0, 'a scale of 0 makes every value 0')
      .default(1),
    writable,
  })
  .refine(({ area, db }) => (area === 'DB') === (db !== undefined), {
    message: 'a tag of a data block names its number, and no other does',
    path: ['db'],
  })
  .refine(({ area, type }) => area === 'DB' || type !== 'string', {
    message: 'strings are in data blocks',
    path: ['type'],
  })
  .refine(({ area, writable: writes }) => !writes || area !== 'I', {
    message: 'inputs cannot be written',
    path: ['writable'],
  })

const S7 = z.strictObject({
  type: z.literal('s7'),
  name: name.default('s7'),
  host: z.string().min(1),
  port: tcpPort.default(102),
  rack: z.number().int().min(0).max(7).default(0),
  /** 1 for S7-1200 and S7-1500, 2 for S7-300 and S7-400. */
  slot: z.number().int().min(0).max(31).default(1),
  pollMs: intervalMs.default(1_000),
  timeoutMs: intervalMs.default(3_000),
  tags: z.array(S7Tag).min(1, 'a source without tags reads nothing'),
})
export type S7Settings = z.output<typeof S7>

const EthernetIpTag = z.strictObject({
  name,
  /** Name in the controller: `Motor.Speed`, `Recipe[3]`. */
  tag: z
    .string()
    .regex(/^[A-Za-z_][\w.[\],]{0,199}$/, 'a controller tag looks like Motor.Speed or Recipe[3]'),
  program: z.string().min(1).max(100).optional(),
  type: simpleType.default('double'),
  writable,
})

const EthernetIp = z.strictObject({
  type: z.literal('ethernetip'),
  name: name.default('ethernetip'),
  host: z.string().min(1),
  slot: z.number().int().min(0).max(31).default(0),
  pollMs: intervalMs.default(1_000),
  timeoutMs: intervalMs.default(5_000),
  tags: z.array(EthernetIpTag).min(1, 'a source without tags reads nothing'),
})
export type EthernetIpSettings = z.output<typeof EthernetIp>

const Host = z.strictObject({
  type: z.literal('host'),
  name: name.default('host'),
  pollMs: intervalMs.default(5_000),
})
export type HostSettings = z.output<typeof Host>

const kinds = [Modbus, Opcua, Mqtt, S7, EthernetIp, Host] as const
const typeNames = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export const SourceSettings = z.discriminatedUnion('type', kinds, {
  error: `the type of a source is ${typeNames.format(kinds.map(({ shape }) => shape.type.value))}`,
})
export type SourceSettings = z.output<typeof SourceSettings>

/** Source without tags, enough to test and browse it. */
export const SourceConnection = z.discriminatedUnion(
  'type',
  [
    Modbus.extend({ tags: z.array(ModbusTag).default([]) }),
    Opcua.extend({ tags: z.array(OpcuaTag).default([]) }),
    Mqtt.extend({ tags: z.array(MqttTag).default([]) }),
    S7.extend({ tags: z.array(S7Tag).default([]) }),
    EthernetIp.extend({ tags: z.array(EthernetIpTag).default([]) }),
  ],
  { error: 'the type of a source is modbus, opcua, mqtt, s7 or ethernetip' },
)
export type SourceConnection = z.output<typeof SourceConnection>

/** Adds names to unnamed sources, by type: `modbus`, `modbus-2` and so on. */
function nameSources(raw: unknown): unknown {
  if (!Array.isArray(raw)) return raw
  const taken = new Set(raw.map((one: unknown) => (one as { name?: unknown } | null)?.name))
  return raw.map((one: unknown) => {
    const { name: given, type } = (one ?? {}) as { name?: unknown; type?: unknown } // checked below
    if (given !== undefined || typeof type !== 'string') return one
    let free = type
    for (let number = 2; taken.has(free); number++) free = `${type}-${number}`
    taken.add(free)
    return { ...(one as object), name: free }
  })
}

const CheckedSources = z
  .array(SourceSettings)
  .min(1, 'name at least one source')
  .max(200, 'at most 200 sources')
  .superRefine((sources, context) => {
    const names = new Set<string>()
    const seen = new Set<string>()
    for (const [index, source] of sources.entries()) {
      if (names.has(source.name)) {
        const message = `two sources are called ${source.name}; give each a name of its own`
        context.addIssue({ code: 'custom', path: [index, 'name'], message })
      }
      names.add(source.name)
      for (const [at, tag] of (source.type === 'host' ? [] : source.tags).entries()) {
        if (seen.has(tag.name)) {
          const message = `two tags are called ${tag.name}; names are unique in one agent`
          context.addIssue({ code: 'custom', path: [index, 'tags', at, 'name'], message })
        }
        seen.add(tag.name)
      }
    }
  })

/** Sources of an agent; names of sources and of tags are unique. */
export const Sources = z.preprocess(nameSources, CheckedSources) as unknown as z.ZodType<
  z.output<typeof CheckedSources>,
  z.input<typeof CheckedSources>
> // it accepts what the list accepts; preprocessing makes the type unknown

/** Validated list of sources, or its first fault. */
export function checkSources(raw: unknown) {
  const parsed = Sources.safeParse(raw)
  if (parsed.success) return { ok: true, sources: parsed.data } as const
  const [issue] = parsed.error.issues
  const field = (issue?.path ?? []).join('.')
  return { ok: false, field, message: issue?.message ?? 'the sources are not understood' } as const
}
