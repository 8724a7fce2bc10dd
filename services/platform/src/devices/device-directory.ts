import type { Client } from '@longreach/kit/client'
import { AppError } from '@longreach/kit/errors'
import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { FastifyBaseLogger } from 'fastify'
import { baseOf, type Device, newDevice, type Target } from './device.ts'
import { type FormulaFact, placeFormulas } from './device-formulas.ts'

type Facts = Awaited<ReturnType<Client<typeof mappingsContract>['deviceForPlatform']>>
type Options = {
  mappings: Client<typeof mappingsContract>
  log: FastifyBaseLogger
  /** Called before a device is used with its new organization, in which its later values are stored. */
  moved: (deviceId: string, from: string, to: string) => Promise<void>
  /** Called when the facts of a device that was known before were read again. */
  read: (device: Device) => void
}

/** Every device this process has met, as mappings describes it, until mappings says that it changed. */
export function createDirectory({ mappings, log, moved, read }: Options) {
  const known = new Map<string, Device>()
  const loading = new Map<string, Promise<Device | undefined>>()

  const fetchFacts = async (deviceId: string) => {
    try {
      return await mappings.deviceForPlatform({ params: { deviceId } })
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    }
  }

  const load = async (id: string) => {
    const facts = await fetchFacts(id)
    const device = known.get(id)
    if (!facts) {
      known.delete(id)
      return undefined
    }
    if (device && device.org !== facts.orgResourceId) {
      await moved(id, device.org, facts.orgResourceId)
    }
    const loaded = device ?? newDevice(id)
    applyFacts(loaded, facts, log)
    known.set(id, loaded)
    if (device) read(device)
    return loaded
  }

  /** The device as mappings has it now; the object that connections hold is brought up to date. */
  const refresh = (id: string): Promise<Device | undefined> => {
    const under = loading.get(id)
    const mine = (under ?? Promise.resolve(undefined)).catch(() => undefined).then(() => load(id)) // the one before tells its own caller
    loading.set(id, mine)
    const done = () => {
      if (loading.get(id) === mine) loading.delete(id)
    }
    mine.then(done, done)
    return mine
  }

  return {
    /** Undefined for an id that no device has. */
    get: (id: string): Promise<Device | undefined> => {
      const device = known.get(id)
      return device && !loading.has(id) ? Promise.resolve(device) : (loading.get(id) ?? refresh(id))
    },
    /** Without asking anybody. */
    known: (id: string) => known.get(id),
    refresh,
    /** Forget a deleted device; what was kept of it. */
    drop(id: string) {
      const device = known.get(id)
      known.delete(id)
      return device
    },
    all: () => known.values(),
    get size() {
      return known.size
    },
  }
}
export type Directory = ReturnType<typeof createDirectory>

function applyFacts(device: Device, facts: Facts, log: FastifyBaseLogger) {
  const moved = device.org !== facts.orgResourceId
  device.label = facts.label
  device.realm = facts.realm
  device.org = facts.orgResourceId
  device.groups = facts.groups
  device.modelOrganization = facts.model?.organization
  device.words = new Map(facts.facts.map(({ path, ...words }) => [path, words]))
  // A device that moved writes into series of its new organization.
  if (moved) device.byPath = new Map()
  const { formulas = [] } = facts
  const text = JSON.stringify(formulas)
  const same = device.configurationText === facts.configuration && device.formulasText === text
  if (same && !moved) return
  device.configurationText = facts.configuration
  device.formulasText = text
  readInto(device, log)
  place(device, formulas)
}

/** A configuration that cannot be read is not applied in part. */
function readInto(device: Device, log: FastifyBaseLogger) {
  device.configuration = undefined
  device.configurationFault = undefined
  if (device.configurationText === null) return
  try {
    device.configuration = readConfiguration(device.configurationText)
  } catch (error) {
    device.configurationFault = error instanceof Error ? error.message : String(error)
    log.error({ device: device.id, why: device.configurationFault }, 'a configuration is wrong')
  }
}

/** Targets of paths that stay as they were keep their series and last value. */
function place(device: Device, formulas: readonly FormulaFact[]) {
  const old = device.byPath
  device.byPath = new Map()
  device.byTopic = new Map()
  for (const leaf of device.configuration?.leaves ?? []) {
    const before = old.get(leaf.path)
    const same = before?.leaf.type === leaf.type && before.leaf.history === leaf.history
    const target: Target = same && before ? Object.assign(before, { leaf }) : { device, leaf }
    device.byPath.set(leaf.path, target)
    const { deviceEndpoint } = leaf
    if (deviceEndpoint !== undefined) {
      device.byTopic.set(`${baseOf(device)}${deviceEndpoint}`, target)
    }
  }
  device.formulas = placeFormulas(device, formulas, old)
}
