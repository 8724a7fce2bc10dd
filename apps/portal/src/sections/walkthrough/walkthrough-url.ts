import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { Search } from '../../parts/pages/section.ts'
import { all, one } from '../../parts/pages/use-search.ts'

export type Device = Result<(typeof mappingsContract)['endpoints']['device']>['value']

/** Kinds of devices that a new user may want to connect. */
export const kinds = ['simulator', 'gateway', 'own'] as const
export type Kind = (typeof kinds)[number]
/** Steps of the walkthrough, in order. */
export const steps = [1, 2, 3, 4, 5] as const
export type Step = (typeof steps)[number]

/** Progress in the walkthrough; all of it stands in the address, so that a reload or a link continues there. */
export type Walk = {
  step: Step
  kind: Kind | undefined
  /** The device, once it is made. */
  device: string | undefined
  name: string
  /** Empty: from what the device has; else a ready-made model, or `preset:` and the id of one. */
  model: string
  /** Tags that are not wanted. */
  not: readonly string[]
}

/** The address as a place in the walk: no step is shown that the ones before it do not lead to. */
export function walkOf(search: Search): Walk {
  const asked = Number(one(search['step']) ?? 1)
  const kind = kinds.find((known) => known === one(search['kind']))
  const device = one(search['device']) || undefined
  const reached = device ? steps.length : kind ? 2 : 1
  const isStep = Number.isInteger(asked)
  const step = steps.find((one) => isStep && one === Math.min(asked, reached)) ?? 1
  return {
    step,
    kind,
    device,
    name: one(search['name']) ?? '',
    model: one(search['model']) ?? '',
    not: all(search['not']),
  }
}

/** Names of small models for devices of one's own, with what such a device sends. */
export const readyModels = {
  sensor: [
    { name: 'temperature', type: 'double' },
    { name: 'humidity', type: 'double' },
  ],
  machine: [
    { name: 'running', type: 'boolean' },
    { name: 'speed', type: 'double' },
    { name: 'temperature', type: 'double' },
    { name: 'products', type: 'integer' },
  ],
  meter: [
    { name: 'power', type: 'double' },
    { name: 'energy', type: 'double' },
    { name: 'voltage', type: 'double' },
  ],
} as const
type ReadyModel = keyof typeof readyModels
export const readyNames = Object.keys(readyModels) as ReadyModel[]

export const isReady = (model: string): model is ReadyModel => Object.hasOwn(readyModels, model)

type Known = { connected: boolean; lastConnUpdateAt: number; presetId: string | null }

/** The first step that is still to be done for a device. */
export function nextStep(device: Known, hasValue: boolean) {
  if (!device.connected && device.lastConnUpdateAt === 0) return 3
  if (device.presetId === null) return 4
  return hasValue ? 5 : 4
}

/** Properties of every step. */
export type StepProps = {
  walk: Walk
  /** Set parts of the address. */
  change: (patch: Record<string, string | string[] | undefined>) => void
  /** To another step; a place in the history. */
  go: (step: Step, patch?: Record<string, string | undefined>) => void
}
export type DeviceStepProps = StepProps & { device: Device }
