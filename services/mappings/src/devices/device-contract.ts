import { rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, listQuery } from '../asked-contract.ts'
import { Device, Position } from '../search/device-fields-contract.ts'
import {
  DeviceAggregations,
  DeviceSearch,
  FiguresSearch,
  FoundDevices,
  listFilters,
  scrolling,
} from '../search/search-contract.ts'

const text = z.string().max(500)
export const label = z.string().trim().min(1).max(200)
/** A tag is written without blanks around it, and stands there once. */
export const tags = z
  .array(z.string().trim().min(1).max(100))
  .max(100)
  .transform((all) => [...new Set(all)])
const id = z.object({ id: z.string() })
const value = z.object({ value: Device })

/** One attribute; a value of null takes it away. */
export const Attribute = z.object({ key: z.string().min(1).max(200), value: z.json() })

const Facets = z.array(z.object({ value: z.string(), count: z.int() }))

export const deviceEndpoints = {
  devices: {
    method: 'GET',
    path: '/devices',
    access: 'devices:read',
    query: z.object({ ...listQuery, ...listFilters, ...scrolling }),
    result: FoundDevices,
  },
  searchDevices: {
    method: 'POST',
    path: '/devices/search',
    reads: true,
    access: 'devices:read',
    query: inOrganization,
    body: DeviceSearch,
    result: FoundDevices,
  },
  /** The figures of a search without its list and its count. */
  deviceAggregations: {
    method: 'POST',
    path: '/devices/aggregations',
    reads: true,
    access: 'devices:read',
    query: inOrganization,
    body: FiguresSearch,
    result: DeviceAggregations,
  },
  /** Number of devices in each state, with the same filters as the list. */
  deviceCounts: {
    method: 'GET',
    path: '/devices/counts',
    access: 'devices:read',
    query: z.object({ organization: listQuery.organization, ...listFilters }),
    result: z.object({
      total: z.int(),
      connected: z.int(),
      disconnected: z.int(),
      neverConnected: z.int(),
      withoutPreset: z.int(),
      configurationPending: z.int(),
      configurationError: z.int(),
    }),
  },
  /** Values to filter the list by: tags, models and organizations in use, the frequent first. */
  deviceFacets: {
    method: 'GET',
    path: '/devices/facets',
    access: 'devices:read',
    query: inOrganization,
    result: z.object({ tags: Facets, models: Facets, organizations: Facets }),
  },
  attributeKeys: {
    method: 'GET',
    path: '/devices/attributes',
    access: 'devices:read',
    query: inOrganization,
    result: z.array(z.string()),
  },
  attributeValues: {
    method: 'GET',
    path: '/devices/attributes/:key',
    access: 'devices:read',
    params: z.object({ key: z.string() }),
    query: inOrganization,
    result: z.array(z.string()),
  },
  /** The devices of a device group (a security policy) that the caller sees. */
  devicesOfGroup: {
    method: 'GET',
    path: '/devices/group/:group',
    access: 'devices:read',
    params: z.object({ group: rowIdText }),
    query: z.object({ ...listQuery, ...scrolling }),
    result: FoundDevices,
  },
  createDevice: {
    method: 'POST',
    path: '/devices',
    access: 'devices:create',
    query: inOrganization,
    body: z.object({
      label,
      description: z.string().max(2_000).default(''),
      serialNumber: z.string().max(200).default(''),
      tags: tags.default([]),
      presetId: z.string().nullish(),
      position: Position.nullish(),
    }),
    result: Device,
    status: 201,
  },
  device: {
    method: 'GET',
    path: '/devices/:id',
    access: 'devices:read',
    params: id,
    query: inOrganization,
    result: value,
  },
  deleteDevice: {
    method: 'DELETE',
    path: '/devices/:id',
    access: 'devices:delete',
    params: id,
    query: inOrganization,
    result: value,
  },
  /**
   * Give the device a preset, or none. A client in the field names no organization here: then the
   * device's own is meant, so that this right is checked once the device is known.
   */
  assignPreset: {
    method: 'PUT',
    path: '/devices/:id',
    access: 'signed-in',
    apiKeys: true,
    params: id,
    query: z.object({ organization: text.optional(), presetId: text.optional() }),
    body: z.object({ presetId: z.string().nullish() }).nullish(),
    result: z.looseObject({ type: z.literal('datamodel') }),
  },
  /** One attribute, or the device's own fields. */
  updateDevice: {
    method: 'PATCH',
    path: '/devices/:id',
    access: 'devices:update',
    params: id,
    query: inOrganization,
    body: z.union([
      Attribute,
      z.strictObject({
        label: label.optional(),
        description: z.string().max(2_000).optional(),
        serialNumber: z.string().max(200).optional(),
        tags: tags.optional(),
        /** Null: nowhere. */
        position: Position.nullish(),
      }),
    ]),
    result: Device.extend({ configurationJson: z.string().nullable() }),
  },
  setAttribute: {
    method: 'PUT',
    path: '/devices/:id/attributes',
    access: 'devices:update',
    params: id,
    query: inOrganization,
    body: Attribute,
    result: Device,
  },
} as const
