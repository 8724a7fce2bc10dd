import mqtt from 'mqtt'
import { CommandFault } from './command-fault.ts'
import { openEthernetIp } from './ethernetip-connection.ts'
import { isRefusal, modbusDevice, readPlace } from './modbus-device.ts'
import { opcuaEndpoints } from './browse-opcua.ts'
import { openOpcua } from './opcua-session.ts'
import { pause } from './retry.ts'
import { openS7 } from './s7-connection.ts'
import { checkSources, type SourceConnection } from './source-settings.ts'
import { makeSource } from './sources.ts'
import type { Reading } from './tags.ts'
import { reach, runSteps, type Step, StepFault, type Told, type Work } from './test-steps.ts'
import type { Logger } from 'pino'

type Context = { log: Logger; dataDir: string }
type Steps = [string, Work][]
type Of<T extends SourceConnection['type']> = Extract<SourceConnection, { type: T }>

/** Time limit of the values in a test, and largest number of values shown. */
const [valuesMs, mostShown] = [6_000, 200]

/** Tests a source step by step, up to its values, without touching the running sources. */
export async function testSource(source: SourceConnection, context: Context) {
  const readings: Reading[] = []
  const steps = stepsOf(source, context)
  if (source.tags.length > 0) {
    steps.push(['values', () => values(source, context, readings)])
  }
  const done: Step[] = await runSteps(steps)
  return {
    ok: done.every(({ ok }) => ok),
    steps: done,
    values: readings.slice(0, mostShown).map((one) => ({
      tag: one.tag,
      ...(one.good ? { value: one.value } : { reason: one.reason.slice(0, 300) }),
    })),
  }
}

function stepsOf(source: SourceConnection, context: Context): Steps {
  switch (source.type) {
    case 'modbus':
      return [reaching(source), ['device', () => modbusUnit(source)]]
    case 'opcua':
      return opcuaSteps(source, context)
    case 'mqtt':
      return [reaching(addressOf(source.url, 1883)), ['login', () => mqttLogin(source)]]
    case 's7':
      return [reaching(source), ['device', () => s7Session(source)]]
    case 'ethernetip':
      return [reaching({ ...source, port: 44_818 }), ['device', () => identity(source)]]
  }
}

const reaching = ({ host, port }: { host: string; port: number }): Steps[number] => [
  'reach',
  () => reach(host, port),
]

/** Host and port of an address; the protocol's usual port when it names none. */
function addressOf(url: string, usual: number) {
  const [, scheme = '', rest = ''] = /^([\w.]+):\/\/(.*)$/.exec(url) ?? []
  const { hostname, port } = new URL(`http://${rest}`)
  const own = { mqtts: 8883, ws: 80, wss: 443 }[scheme] ?? usual
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? own : Number(port) }
}

async function modbusUnit(source: Of<'modbus'>) {
  const device = modbusDevice(source)
  await device.open()
  const place = { area: 'holding', unit: source.unit, address: 0, size: 1, pollMs: 0 } as const
  const values = { unit: source.unit }
  const answers = { code: 'unit.answers', values, detail: `unit ${source.unit} answers` }
  try {
    await device.inTurn(source.unit, (open) => readPlace(open, place))
    return answers
  } catch (error) {
    // A Modbus exception is an answer too: register 0 may not exist.
    if (isRefusal(error)) return answers
    const detail = `unit ${source.unit} does not answer; scan for the units that do`
    throw new StepFault({ code: 'unit.silent', values, detail }, { cause: error })
  } finally {
    device.close()
  }
}

function opcuaSteps(source: Of<'opcua'>, context: Context): Steps {
  const tell = (message: string) => context.log.debug(message)
  return [
    reaching(addressOf(source.url, 4840)),
    [
      'endpoints',
      async () => {
        const { endpoints } = await opcuaEndpoints(source.url, context)
        const offered = endpoints.map(({ security, policy }) => `${security} ${policy}`).join(', ')
        const wanted = source.security === 'None' ? 'None' : source.policy
        if (
          endpoints.some(
            ({ security, policy }) => security === source.security && policy === wanted,
          )
        ) {
          return { detail: offered }
        }
        const detail = `the server does not offer ${source.security} ${wanted}; it offers ${offered}`
        const values = { wanted: `${source.security} ${wanted}`, offered }
        throw new StepFault({ code: 'endpoints.missing', values, detail })
      },
    ],
    [
      'login',
      async () => {
        const session = await openOpcua(source, { dataDir: context.dataDir, tell })
        await session.close()
        return signedIn(source)
      },
    ],
  ]
}

/** Result text: the accepted user, or that the server asks for none. */
const signedIn = ({ username }: { username?: string | undefined }): Told =>
  username === undefined ? { code: 'login.anonymous', detail: 'anonymous' } : { detail: username }

async function mqttLogin(source: Of<'mqtt'>) {
  const { url, username, password } = source
  const client = await mqtt.connectAsync(
    url,
    {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      reconnectPeriod: 0,
      connectTimeout: 5_000,
    },
    false,
  )
  await client.endAsync(true)
  return signedIn(source)
}

async function s7Session(source: Of<'s7'>) {
  const plc = await openS7(source)
  await plc.close()
  const { rack, slot } = source
  return { code: 'rack', values: { rack, slot }, detail: `rack ${rack}, slot ${slot}` }
}

async function identity(source: Of<'ethernetip'>) {
  const plc = await openEthernetIp(source)
  try {
    return { detail: await plc.identity() }
  } finally {
    await plc.close()
  }
}

/** First reading of every tag, by a temporary source. */
async function values(source: SourceConnection, { dataDir, log }: Context, into: Reading[]) {
  const checked = checkSources([source])
  const [settings] = checked.ok ? checked.sources : []
  if (!checked.ok || !settings) {
    throw new CommandFault('invalid', checked.ok ? 'no source' : checked.message)
  }
  const seen = new Map<string, Reading>()
  const complete = new AbortController()
  const trial = makeSource(settings, { dataDir, log: log.child({}, { level: 'silent' }) })
  trial.start((readings) => {
    for (const reading of readings) seen.set(reading.tag, reading)
    if (seen.size >= source.tags.length) complete.abort()
  })
  await pause(valuesMs, complete.signal)
  await trial.stop()
  into.push(...seen.values())
  const bad = into.filter(({ good }) => !good)
  return toTestResult(source.tags.length, seen.size, bad)
}

/**
 * Result of the values step: counts, or a fault with the first reason when a tag is bad or missing.
 */
function toTestResult(all: number, heard: number, bad: Reading[]): Told {
  const good = heard - bad.length
  const silent = all - heard
  const summary = `${good} of ${all} tags have a value`
  if (bad.length === 0 && silent === 0) {
    return { code: 'values.good', values: { good, all }, detail: summary }
  }
  const [first] = bad
  if (first && !first.good) {
    const { tag, reason } = first
    const values = { good, all, tag, reason }
    throw new StepFault({ code: 'values.bad', values, detail: `${summary}; ${tag}: ${reason}` })
  }
  const detail = `${summary}; ${silent} said nothing`
  throw new StepFault({ code: 'values.silent', values: { good, all, silent }, detail })
}
