import path from 'node:path'
import { z } from 'zod'
import { registerTypes, wordOrders } from './modbus-values.ts'

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
    /** Registers only; coils and discrete inputs are booleans. */
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

const Opcua = z.strictObject({
  type: z.literal('opcua'),
  name: name.default('opcua'),
  url: z.string().regex(/^opc\.tcp:\/\/.+/, 'an OPC UA address starts with opc.tcp://'),
  security: z.enum(['None', 'Sign', 'SignAndEncrypt']).default('None'),
  username: z.string().optional(),
  password: z.string().optional(),
  samplingMs: intervalMs.default(500),
  tags: z
    .array(
      z.strictObject({
        name,
        node: z.string().regex(/^(ns=\d+;)?[isgb]=.+/, 'a node id looks like ns=1;s=Pump1.Speed'),
        type: simpleType.default('double'),
        writable,
      }),
    )
    .min(1, 'a source without tags reads nothing'),
})
export type OpcuaSettings = z.output<typeof Opcua>

const Mqtt = z.strictObject({
  type: z.literal('mqtt'),
  name: name.default('mqtt'),
  url: z
    .string()
    .regex(/^(mqtts?|wss?):\/\/.+/, 'a broker address starts with mqtt:// or mqtts://'),
  username: z.string().optional(),
  password: z.string().optional(),
  /** How long a write waits for the new value on the tag's topic. */
  confirmMs: intervalMs.default(5_000),
  tags: z
    .array(
      z.strictObject({
        name,
        topic: z
          .string()
          .min(1)
          .refine((topic) => !/[+#]/.test(topic), 'a tag has one topic, without + and #'),
        /** Where in a JSON payload: `a.b.0`; absent: the whole payload. */
        path: z.string().min(1).optional(),
        /** Where in the payload the time is, in ms since 1970 or ISO 8601; absent: the time of arrival. */
        timePath: z.string().min(1).optional(),
        type: simpleType.default('double'),
        writeTopic: z.string().min(1).optional(),
      }),
    )
    .min(1, 'a source without tags reads nothing'),
})
export type MqttSettings = z.output<typeof Mqtt>

const Host = z.strictObject({
  type: z.literal('host'),
  name: name.default('host'),
  pollMs: intervalMs.default(5_000),
})
export type HostSettings = z.output<typeof Host>

const SourceSettings = z.discriminatedUnion('type', [Modbus, Opcua, Mqtt, Host], {
  error: 'the type of a source is modbus, opcua, mqtt or host',
})
export type SourceSettings = z.output<typeof SourceSettings>

export const AgentSettings = z
  .strictObject({
    activationKey: z
      .string({
        error: 'give --activation-key: the portal shows the key of a device at Devices, Add device',
      })
      .min(4, 'an activation key has at least 4 characters'),
    endpoint: z.url({
      protocol: /^https?$/,
      error: 'give --endpoint: the address of the portal, such as http://localhost:8080',
    }),
    dataDir: z.string().min(1).default('./edge-data'),
    ca: z.string().min(1).optional(),
    logLevel: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'the log level is trace, debug, info, warn, error, fatal or silent',
      })
      .default('info'),
    buffer: z
      .strictObject({
        maxMB: z.number().min(1, 'at least 1 MB').max(1_000_000).default(256),
        /** What is given up when the buffer is full. */
        drop: z
          .enum(['newest', 'oldest'], { error: 'what to drop is newest or oldest' })
          .default('newest'),
      })
      .prefault({}),
    sources: z
      .array(SourceSettings)
      .min(1, 'name at least one source')
      .default([{ type: 'host', name: 'host', pollMs: 5_000 }]),
  })
  .superRefine(({ sources }, context) => {
    const seen = new Set<string>()
    for (const [index, source] of sources.entries()) {
      for (const [at, tag] of (source.type === 'host' ? [] : source.tags).entries()) {
        if (seen.has(tag.name)) {
          const message = `two tags are called ${tag.name}; names are unique in one agent`
          context.addIssue({
            code: 'custom',
            path: ['sources', index, 'tags', at, 'name'],
            message,
          })
        }
        seen.add(tag.name)
      }
    }
  })
export type AgentSettings = z.output<typeof AgentSettings>
/** The settings as a person writes them, with the standard values left out. */
export type AgentSettingsInput = z.input<typeof AgentSettings>

/** The agent was started with settings that it cannot use; the message has a line for each. */
export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(['These settings need to be changed:', ...lines.map((line) => `  ${line}`)].join('\n'))
  }
}

/** Checked settings with absolute paths. Throws a {@link SettingsError} that names every bad one. */
export function checkSettings(raw: unknown): AgentSettings {
  const parsed = AgentSettings.safeParse(raw)
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`),
    )
  }
  const { dataDir, ca, endpoint, ...rest } = parsed.data
  return {
    ...rest,
    endpoint: endpoint.replace(/\/+$/, ''),
    dataDir: path.resolve(dataDir),
    ...(ca !== undefined && { ca: path.resolve(ca) }),
  }
}
