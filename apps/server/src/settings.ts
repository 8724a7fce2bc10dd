import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { FeatureSettings } from './portal-files.ts'
import { MapEnvironment, type MapSettings, mapOf } from './map-settings.ts'
import type { OutsideSettings } from '@longreach/kit/outside-address'
import { standardDataDir } from './data-folder.ts'
import { OutsideEnvironment, outsideOf } from './outside-settings.ts'
import { NatsEnvironment, natsOf, type NatsSettings } from '@longreach/kit/nats-settings'
import { KeycloakEnvironment, keycloakOf, type KeycloakSettings } from './keycloak-settings.ts'

const port = (name: string, standard: number) =>
  z.coerce
    .number<string>(`${name} must be a port number from 0 to 65535 (0 picks a free one)`)
    .int(`${name} must be a whole number`)
    .min(0, `${name} must be 0 or more`)
    .max(65_535, `${name} must be at most 65535`)
    .default(standard)

const optional = z.string().min(1).optional()

const featureNames = (name: string) =>
  z
    .string()
    .regex(/^\w+(\s*,\s*\w+)*$/, `${name} must be names of features with commas between`)
    .transform(namesIn)
    .optional()

const namesIn = (text: string) => text.split(',').map((one) => one.trim())

/** Environment settings of the server. An empty text counts as absent. */
const Environment = z.object({
  PORT: port('PORT', 8080),
  HOST: z.string().default('0.0.0.0'),
  MQTT_PORT: port('MQTT_PORT', 8883),
  DATA_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must start with postgres://')
    .optional(),
  PUBLIC_URL: z
    .string()
    .regex(
      /^https?:\/\/[^/?#]+\/?$/,
      'PUBLIC_URL must be an origin such as https://portal.example.org',
    )
    .optional(),
  I18N_HOST: z
    .string()
    .regex(
      /^https?:\/\/[^\s?#]+$/,
      'I18N_HOST must be an address such as https://words.example.org',
    )
    .optional(),
  FEATURES_ALLOWED: featureNames('FEATURES_ALLOWED'),
  FEATURES_FORBIDDEN: featureNames('FEATURES_FORBIDDEN'),
  FEATURES_ENABLED: featureNames('FEATURES_ENABLED'),
  TRUSTED_PROXIES: z
    .string()
    .regex(
      /^[0-9a-fA-F.:/]+(\s*,\s*[0-9a-fA-F.:/]+)*$/,
      'TRUSTED_PROXIES must be addresses or networks with commas between, such as 10.0.0.1,10.1.0.0/16',
    )
    .optional(),
  SMTP_URL: z
    .string()
    .regex(
      /^smtps?:\/\/([^\s/?#@]+@)?[^\s/?#@]+\/?$/,
      'SMTP_URL must be an address such as smtp://user:password@mail.example.org:587',
    )
    .refine((text) => URL.canParse(text), 'SMTP_URL is not an address')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>"\r\n]{1,100} <)?[^\s<>@,;"]+@[^\s<>@,;"]+>?$/,
      'MAIL_FROM must be an address such as Longreach <noreply@example.org>',
    )
    .optional(),
  REGISTRATION: z
    .enum(['off', 'open'], { error: 'REGISTRATION must be off or open' })
    .default('off'),
  REGISTRATION_PARENT: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{0,499}$/,
      'REGISTRATION_PARENT must be the id of an organization such as nordwerk.customers',
    )
    .optional(),
  ...KeycloakEnvironment.shape,
  ...MapEnvironment.shape,
  ...NatsEnvironment.shape,
  ...OutsideEnvironment.shape,
  SERVICES: optional,
  SETUP_USER: optional,
  SETUP_PASSWORD: optional,
  SETUP_ORGANIZATION: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,62}$/,
      'SETUP_ORGANIZATION must be lower-case letters, digits and dashes',
    )
    .default('main'),
  /** Of `npm run admin-client` alone. */
  ADMIN_CLIENT_SECRET: z.string().optional(),
  MASTER_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'MASTER_KEY must be 64 hexadecimal digits')
    .optional(),
  DEMO_FLEET: z.enum(['on', 'off'], { error: 'DEMO_FLEET must be on or off' }).default('on'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('warn'),
})

export type Settings = {
  port: number
  host: string
  mqttPort: number
  dataDir: string
  databaseUrl: string | undefined
  /** Public URL without a trailing slash; absent: `http://localhost:<port>`. */
  publicUrl: string | undefined
  /** Host of texts that replace or extend the portal's own. */
  i18nHost: string | undefined
  /** Experimental features of the portal; absent: all available, all off. */
  features: FeatureSettings | undefined
  /** Tiles of the device map; absent: only the built-in map. */
  map: MapSettings | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** Mail server and sender; absent: no mail is sent. */
  mail: { url: string; from: string } | undefined
  /**
   * Self-registration, and the organization below which new ones are made; without it they are
   * roots.
   */
  registration: { parent?: string } | undefined
  /** Accounts in Keycloak; absent: in the embedded identity service. */
  keycloak: KeycloakSettings | undefined
  /** Servers over which processes of this installation talk to each other; absent: it is one process. */
  nats: NatsSettings | undefined
  /** Calls to addresses that people give. */
  outside: OutsideSettings
  services: string[] | undefined
  setup: { user: string; password: string; organization: string } | undefined
  masterKey: string | undefined
  adminClientSecret: string | undefined
  /** Demo only: customers' machines in addition to the two of the plant. */
  demoFleet: boolean
  logLevel: string
}

/** Settings that hold a secret: each may be in a file instead, which `<name>_FILE` names. */
const secretNames = [
  'DATABASE_URL',
  'SMTP_URL',
  'SETUP_PASSWORD',
  'MASTER_KEY',
  'NATS_URL',
  'KEYCLOAK_ADMIN_CLIENT_SECRET',
  'ADMIN_CLIENT_SECRET',
] as const satisfies (keyof z.input<typeof Environment>)[]

/** Settings of the server; throws one message with a line for each invalid one. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const files = secretFiles(given)
  const { data, error } = Environment.safeParse({ ...given, ...files.read })
  const lines = error?.issues.map(({ path: [name], message }) =>
    message.startsWith(String(name)) ? message : `${String(name)}: ${message}`,
  )
  if (!data || files.faults.length > 0) throw new SettingsError([...files.faults, ...(lines ?? [])])
  return fromEnvironment(data)
}

/** Secrets that are in files, without the line break at the end, and the faults of the others. */
function secretFiles(env: NodeJS.ProcessEnv) {
  const read: Record<string, string> = {}
  const faults: string[] = []
  for (const name of secretNames) {
    const file = env[`${name}_FILE`]
    if (file === undefined) continue
    if (env[name] !== undefined) {
      faults.push(`${name} and ${name}_FILE exclude each other: set one`)
      continue
    }
    try {
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      if (read[name] === '') faults.push(`${name}_FILE: ${file} is empty`)
    } catch (error) {
      faults.push(`${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { read, faults }
}

function fromEnvironment(env: z.output<typeof Environment>): Settings {
  if ((env.SETUP_USER === undefined) !== (env.SETUP_PASSWORD === undefined)) {
    throw new SettingsError(['SETUP_USER and SETUP_PASSWORD go together: set both or neither'])
  }
  const { SETUP_USER: user, SETUP_PASSWORD: password, SETUP_ORGANIZATION: organization } = env
  return {
    port: env.PORT,
    host: env.HOST,
    mqttPort: env.MQTT_PORT,
    dataDir: path.resolve(env.DATA_DIR ?? standardDataDir(env.DATABASE_URL)),
    databaseUrl: env.DATABASE_URL,
    publicUrl: env.PUBLIC_URL?.replace(/\/$/, ''),
    i18nHost: env.I18N_HOST?.replace(/\/$/, ''),
    features: featuresIn(env),
    map: mapIn(env),
    trustedProxies: env.TRUSTED_PROXIES ? namesIn(env.TRUSTED_PROXIES) : [],
    mail: mailIn(env),
    registration: registrationIn(env),
    keycloak: keycloakIn(env),
    nats: natsIn(env),
    outside: outsideOf(env),
    services: env.SERVICES === undefined ? undefined : namesIn(env.SERVICES),
    setup:
      user !== undefined && password !== undefined ? { user, password, organization } : undefined,
    masterKey: env.MASTER_KEY,
    adminClientSecret: env.ADMIN_CLIENT_SECRET,
    demoFleet: env.DEMO_FLEET === 'on',
    logLevel: env.LOG_LEVEL,
  }
}

function featuresIn(env: z.output<typeof Environment>): FeatureSettings | undefined {
  const all = {
    ...(env.FEATURES_ALLOWED && { allowed: env.FEATURES_ALLOWED }),
    ...(env.FEATURES_FORBIDDEN && { forbidden: env.FEATURES_FORBIDDEN }),
    ...(env.FEATURES_ENABLED && { enabled: env.FEATURES_ENABLED }),
  }
  return Object.keys(all).length > 0 ? all : undefined
}

function natsIn(env: z.output<typeof Environment>) {
  const nats = natsOf(env)
  if (nats && 'wrong' in nats) throw new SettingsError([nats.wrong])
  return nats
}

function keycloakIn(env: z.output<typeof Environment>) {
  const keycloak = keycloakOf(env)
  if (keycloak && 'missing' in keycloak) throw new SettingsError([keycloak.missing])
  return keycloak
}

function mapIn(env: z.output<typeof Environment>) {
  const map = mapOf(env)
  if (map && 'wrong' in map) throw new SettingsError([map.wrong])
  return map
}

function mailIn({ SMTP_URL: url, MAIL_FROM: from }: z.output<typeof Environment>) {
  if (url !== undefined && from !== undefined) return { url, from }
  if (url === from) return undefined
  throw new SettingsError(['SMTP_URL and MAIL_FROM go together: set both or neither'])
}

function registrationIn(env: z.output<typeof Environment>) {
  const { REGISTRATION, REGISTRATION_PARENT: parent, SMTP_URL } = env
  if (REGISTRATION === 'off') return undefined
  // In a shared realm only the owner of an address may learn that it has an account, so mail is
  // required.
  if (parent !== undefined && SMTP_URL === undefined) {
    throw new SettingsError(['REGISTRATION_PARENT needs a mail server: set SMTP_URL'])
  }
  return parent === undefined ? {} : { parent }
}

/** Error of a start with an unusable setting. */
export class SettingsError extends Error {
  constructor(lines: string[]) {
    super(['These settings need to be changed:', ...lines.map((line) => `  ${line}`)].join('\n'))
  }
}
