import type { Client } from '@longreach/kit/client'
import type { alarmsContract } from '@longreach/alarms/contract'
import type { triggersContract } from '@longreach/triggers/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Device, DeviceRule } from '../devices/device.ts'
import { inputSources, modelFacts } from './device-inputs.ts'
import type { PolicyCompiler } from './device-policy.ts'
import type { RuleCompiler } from './device-rule.ts'
import type { GivenRule } from './alarm-types.ts'

type Options = {
  alarms: Client<typeof alarmsContract>
  mappings: Client<typeof mappingsContract>
  triggers: Client<typeof triggersContract>
  compiler: RuleCompiler
  policies: PolicyCompiler
  log: Pick<FastifyBaseLogger, 'warn'>
}
export type LoadedRules = {
  rules: DeviceRule[]
  /** All that they follow from, as a text. */
  text: string
  /** Time at which one that is out of service is judged again. */
  againAt: number | undefined
}

/** Reads the rules that judge a device now, from alarms. */
export async function readRules(
  options: Options,
  device: Device,
  now: number,
): Promise<LoadedRules> {
  const ofAlarms = await readAlarmRules(options, device, now)
  const rules = [...ofAlarms.rules, ...(await readTriggers(options, device))]
  const text = rules.map(({ id, version, key }) => `${id} ${version} ${key}`).join('\n')
  return { rules, text, againAt: ofAlarms.againAt }
}

/** Reads the parts of triggers that judge a device now. */
async function readTriggers({ triggers, policies, log }: Options, device: Device) {
  const { triggers: given } = await triggers.triggersForDevice({
    params: { deviceId: device.id },
    query: { orgResourceId: device.org },
  })
  const paths = [...inputSources(device).keys()]
  return given.flatMap((one) => {
    if (!isInGroups(device, one.deviceGroups)) return []
    try {
      return policies.deviceRules(one, paths)
    } catch (error) {
      const about = { err: error, trigger: one.id, device: device.id }
      log.warn(about, 'a trigger could not be compiled')
      return []
    }
  })
}

async function readAlarmRules(
  { alarms, mappings, compiler, log }: Options,
  device: Device,
  now: number,
) {
  const { rules: given } = await alarms.rulesForDevice({
    params: { deviceId: device.id },
    query: { orgResourceId: device.org, ...modelFacts(device) },
  })
  const inService = given.filter((one) => isOfGroups(device, one) && !isOut(one, now))
  const ends = given.flatMap(({ override }) => override?.outOfServiceUntil ?? [])
  const later = ends.filter((end) => end > now)
  const zone = inService.some(followsDevice) ? await zoneOf(mappings, device.id) : undefined
  const rules = inService.flatMap((one) => {
    try {
      return [compiler.deviceRule(one, zone)]
    } catch (error) {
      log.warn({ err: error, rule: one.id, device: device.id }, 'a rule could not be compiled')
      return []
    }
  })
  return { rules, againAt: later.length > 0 ? Math.min(...later) : undefined }
}

/** True for a rule of all device groups, or of one that the device is in. */
const isOfGroups = (device: Device, { rule: { deviceGroups, enabled } }: GivenRule) =>
  enabled !== false && isInGroups(device, deviceGroups)

/** True without device groups, or for a device that is in one of them. */
function isInGroups({ groups }: Device, deviceGroups: unknown) {
  if (!Array.isArray(deviceGroups) || deviceGroups.length === 0) return true
  const own = new Set(groups.map(String))
  return deviceGroups.some((group) => own.has(String(group)))
}

const isOut = ({ override }: GivenRule, now: number) => (override?.outOfServiceUntil ?? 0) > now

const followsDevice = ({ rule: { schedule } }: GivenRule) =>
  typeof schedule === 'object' &&
  schedule !== null &&
  'zone' in schedule &&
  schedule.zone === 'device'

/** Time zone of a device: its attribute `timezone`, where that names one. */
export async function zoneOf(mappings: Options['mappings'], deviceId: string) {
  const [found] = await mappings.devicesDescribed({ body: { ids: [deviceId] } })
  const zone = found?.attributes['timezone']
  return typeof zone === 'string' && isZone(zone) ? zone : undefined
}

function isZone(timeZone: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false // RangeError: there is no such zone
  }
}
