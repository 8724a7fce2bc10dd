import { z } from 'zod'

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

/** Position of a device, in degrees. */
export const Position = z.object({
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
})
