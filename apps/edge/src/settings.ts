import { existsSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { Alarms } from './alarm-settings.ts'
import { Sources } from './source-settings.ts'

/** Settings of an agent. */
export const AgentSettings = z.strictObject({
  activationKey: z
    .string({
      error: 'give --activation-key: the portal shows the key of a device at Devices, Add device',
    })
    .min(4, 'an activation key has at least 4 characters'),
  endpoint: z.url({
    protocol: /^https?$/,
    error: 'give --endpoint: the address of the portal, such as http://localhost:8080',
  }),
  /** Allows pairing over plain HTTP with a portal on another machine. */
  plainHttp: z.boolean().default(false),
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
      /** Values that are discarded when the buffer is full. */
      drop: z
        .enum(['newest', 'oldest'], { error: 'what to drop is newest or oldest' })
        .default('newest'),
    })
    .prefault({}),
  sources: Sources.default([{ type: 'host', name: 'host', pollMs: 5_000 }]),
  /** Alarms that the agent judges itself, whether the platform is there or not. */
  alarms: Alarms.default([]),
  /** Runs a simulated oven line in the agent, read by Modbus TCP, in place of `sources`. */
  simulate: z.boolean().default(false),
  /** Remote changes that the platform may make. */
  remote: z
    .strictObject({
      configure: z.boolean().default(true),
      update: z.boolean().default(true),
    })
    .prefault({}),
})
export type AgentSettings = z.output<typeof AgentSettings>
/** Settings as a person writes them, without default values. */
export type AgentSettingsInput = z.input<typeof AgentSettings>

/** Error of a start with unusable settings; the message has a line for each. */
export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(['These settings need to be changed:', ...lines.map((line) => `  ${line}`)].join('\n'))
  }
}

/**
 * Validated settings with absolute paths. Throws a {@link SettingsError} that names every invalid
 * one.
 */
export function checkSettings(raw: unknown): AgentSettings {
  const parsed = AgentSettings.safeParse(raw)
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`),
    )
  }
  const { dataDir, ca, endpoint, ...rest } = parsed.data
  // An agent that was paired before keeps the platform's authority and takes nothing new from this
  // connection.
  const isFirst = ca !== undefined || !existsSync(path.resolve(dataDir, 'ca.crt'))
  if (isFirst && !rest.plainHttp && isOpenToOthers(endpoint)) {
    throw new SettingsError([
      `endpoint: ${endpoint} is not encrypted: whoever is on the way could give this machine programs to run. ` +
        'Use the https:// address of the portal, or add --plain-http (plainHttp: true) in a network that you trust',
    ])
  }
  return {
    ...rest,
    endpoint: endpoint.replace(/\/+$/, ''),
    dataDir: path.resolve(dataDir),
    ...(ca !== undefined && { ca: path.resolve(ca) }),
  }
}

/** True when an address is plain HTTP to another machine. */
function isOpenToOthers(endpoint: string) {
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
