import type { mappingsContract } from '@longreach/mappings/contract'
import type { Reply } from './page-answers.ts'

/** Device as it goes over the network. */
type Device = Reply<(typeof mappingsContract)['endpoints']['device']>['value']

const hour = 3_600_000

/** Device of a page test: connected for an hour, without a preset, its configuration applied. */
export function testDevice(id: string, label: string, more: Partial<Device> = {}): Device {
  const now = Date.now()
  return {
    id,
    deviceId: id,
    realmId: 'nordwerk',
    name: label,
    label,
    description: '',
    serialNumber: '',
    orgResourceId: 'nordwerk',
    deleted: false,
    creationDate: now - 100 * hour,
    updatedAt: now,
    connected: true,
    lastConnUpdateAt: now - hour,
    lastConfigUpdateAt: now - hour,
    configurationSent: true,
    configurationApplied: true,
    configurationError: null,
    presetId: null,
    presetName: null,
    modelId: null,
    modelName: null,
    modelVersion: null,
    attributes: {},
    tags: [],
    groups: [],
    isGateway: false,
    vpnName: null,
    ...more,
  }
}
