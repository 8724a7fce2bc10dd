import { dataPage, flag, list } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, listed } from '../asked-contract.ts'

export const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/** Every key is always there: clients fail on a missing key, and on a null number or boolean. */
export const Device = z.object({
  id: z.string(),
  deviceId: z.string(),
  realmId: z.string(),
  name: z.string(),
  label: z.string(),
  description: z.string(),
  serialNumber: z.string(),
  orgResourceId: z.string(),
  deleted: z.boolean(),
  creationDate: z.number(),
  updatedAt: z.number(),
  connected: z.boolean(),
  /** ms since 1970; 0 before the device ever connected. */
  lastConnUpdateAt: z.number(),
  /** ms since 1970; 0 before a configuration was ever sent. */
  lastConfigUpdateAt: z.number(),
  configurationSent: z.boolean(),
  configurationApplied: z.boolean(),
  configurationError: z.string().nullable(),
  presetId: z.string().nullable(),
  presetName: z.string().nullable(),
  modelId: z.string().nullable(),
  modelName: z.string().nullable(),
  modelVersion: z.string().nullable(),
  attributes: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
  /** Ids of the device groups (security policies) that the device is in. */
  groups: z.array(z.int()),
  isGateway: z.boolean(),
  vpnName: z.string().nullable(),
  position: z.object({ lat: z.number(), lon: z.number() }).optional(),
})
export type Device = z.output<typeof Device>

const text = z.string().max(500)
const label = z.string().trim().min(1).max(200)
const tags = z.array(z.string().max(100)).max(100)
const id = z.object({ id: z.string() })
const value = z.object({ value: Device })

const filters = {
  deviceId: text.optional(),
  searchField: text.optional(),
  searchValue: text.optional(),
  searchFields: list.optional(),
  searchValues: list.optional(),
  existingFields: list.optional(),
}

/** `connected`, `presetId` and the like as plain filters, besides the wire's search fields. */
const state = { connected: flag.optional(), presetId: text.optional() }

const Attribute = z.object({ key: z.string().min(1).max(200), value: z.json() })

export const deviceEndpoints = {
  devices: {
    method: 'GET',
    path: '/devices',
    access: 'devices:read',
    query: z.object({ ...listed, ...filters, ...state }),
    result: dataPage(Device),
  },
  searchDevices: {
    method: 'POST',
    path: '/devices/search',
    reads: true,
    access: 'devices:read',
    query: inOrganization,
    body: z.object({
      /** An expression as `connected == true and (label ~= "oven" or tags in ("line 1"))`. */
      data: z.string().max(10_000).nullish(),
      filters: z
        .object({
          ...filters,
          organizations: z.array(text).max(1_000).optional(),
          deviceIds: z.array(text).max(10_000).optional(),
          /** Of the search fields, any is enough. */
          matchAny: z.boolean().optional(),
        })
        .nullish(),
      page: listed.page,
      pageSize: listed.pageSize,
      scopedOrganization: text.optional(),
      orderBy: listed.orderBy,
      orderDir: listed.orderDir,
    }),
    result: dataPage(Device),
  },
  /** How many devices are in each state, with the same filters as the list. */
  deviceCounts: {
    method: 'GET',
    path: '/devices/counts',
    access: 'devices:read',
    query: z.object({ organization: listed.organization, search: listed.search, ...filters }),
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
