import { z } from 'zod'

const Level = z.object({
  level: z.number().optional(),
  levelString: z.string().optional(),
  mode: z.string().optional(),
})
const Change = z.object({
  minIntervalMs: z.number().min(0).optional(),
  /** Tag to watch in place of the leaf's own. */
  tagName: z.string().optional(),
  skipFirstNChanges: z.number().min(0).optional(),
  deadband: z.number().min(0).optional(),
  deadbandPercent: z.number().min(0).optional(),
  changeMask: z.string().optional(),
})

export const Trigger = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('onchange'), ...Change.shape }),
  z.looseObject({ type: z.literal('onlevel'), ...Change.shape, ...Level.shape }),
  z.looseObject({ type: z.literal('fieldchange'), fieldName: z.string(), ...Change.shape }),
  z.looseObject({
    type: z.literal('fieldlevel'),
    fieldName: z.string(),
    ...Change.shape,
    ...Level.shape,
  }),
  z.looseObject({ type: z.literal('timer'), intervalMs: z.number().min(0).optional() }),
])
export type Trigger = z.output<typeof Trigger>

export type Condition =
  | { type: 'and' | 'or'; operands: Condition[] }
  | { type: 'inband' | 'outband'; low: number; high: number; tagName?: string | undefined }
export const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.object({ type: z.enum(['and', 'or']), operands: z.array(Condition).max(100) }),
    z.object({
      type: z.enum(['inband', 'outband']),
      low: z.number(),
      high: z.number(),
      tagName: z.string().optional(),
    }),
  ]),
)

/** Conditions for sending a value: any trigger fires and all conditions hold. */
export const SendPolicy = z.looseObject({
  triggers: z.array(Trigger).max(100).optional(),
  conditions: Condition.nullish(),
})
export type SendPolicy = z.output<typeof SendPolicy>

/** Policy, or the name of one in the configuration's `policies`. */
const PolicyOrName = z.union([
  z.looseObject({ instanceOf: z.string(), triggers: z.undefined() }),
  SendPolicy,
])

/** Node of a configuration: an object, array, struct, or a leaf with a datatype. */
export type ConfigurationNode = {
  type: string
  mode?: 'R' | 'RW' | undefined
  version?: string | undefined
  instanceOf?: string | undefined
  historyPolicy?: { enabled: boolean; limit?: string | null | undefined } | null | undefined
  sendPolicy?: z.output<typeof PolicyOrName> | null | undefined
  datalink?: { source: unknown; type?: string | undefined } | null | undefined
  mapping?:
    | { device_endpoint?: string | undefined; server_endpoint?: string | undefined }
    | undefined
  properties?: Record<string, ConfigurationNode> | undefined
  length?: number | undefined
  item?: ConfigurationNode | undefined
}
const node: z.ZodType<ConfigurationNode> = z.lazy(() =>
  z.looseObject({
    type: z.string(),
    mode: z.enum(['R', 'RW']).optional(),
    version: z.string().optional(),
    instanceOf: z.string().optional(),
    historyPolicy: z
      .looseObject({ enabled: z.boolean(), limit: z.string().nullish().catch(undefined) })
      .nullish(),
    sendPolicy: PolicyOrName.nullish(),
    datalink: z.looseObject({ source: z.unknown(), type: z.string().optional() }).nullish(),
    mapping: z
      .looseObject({
        device_endpoint: z.string().optional(),
        server_endpoint: z.string().optional(),
      })
      .optional(),
    properties: z.record(z.string(), node).optional(),
    length: z.int().min(0).max(10_000).optional(),
    item: node.optional(),
  }),
)

export const Interface = z.object({
  interface_name: z.string(),
  version_major: z.int(),
  version_minor: z.int(),
  type: z.enum(['properties', 'datastream']),
  ownership: z.enum(['device', 'server']),
  aggregation: z.enum(['individual', 'object']),
  mappings: z.array(
    z.object({
      endpoint: z.string(),
      type: z.string(),
      explicit_timestamp: z.boolean().optional(),
    }),
  ),
})
export type Interface = z.output<typeof Interface>

/** Content of the single entry of a configuration's `properties`. */
export const ConfigurationData = z.looseObject({
  UUID: z.string(),
  type: z.literal('object'),
  instanceOf: z.string(),
  policies: z.record(z.string(), z.looseObject({ type: z.string() }).and(SendPolicy)),
  interfaces: z.array(Interface),
  properties: z.record(z.string(), node),
})
export type ConfigurationData = z.output<typeof ConfigurationData>

/** Preset compiled for one device. Only the first entry of `properties` is used. */
export const DeviceConfiguration = z.object({
  type: z.literal('datamodel'),
  properties: z
    .record(z.string(), ConfigurationData)
    .refine((entries) => Object.keys(entries).length > 0, 'a configuration needs properties'),
})
export type DeviceConfiguration = z.output<typeof DeviceConfiguration>
