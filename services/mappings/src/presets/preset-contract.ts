import { dataPage } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, Issue, listed, tree } from '../asked-contract.ts'

export const Preset = z.object({
  id: z.string(),
  realmId: z.string(),
  modelId: z.string(),
  modelName: z.string(),
  name: z.string(),
  nameRaw: z.string(),
  /** Of the model. */
  version: z.string(),
  /** Exactly as it was posted. */
  json: tree,
  orgResourceId: z.string(),
  deleted: z.boolean(),
  creationDate: z.number(),
  updatedAt: z.number(),
})
export type Preset = z.output<typeof Preset>

const id = z.object({ id: z.string() })
const NewPreset = z.object({ name: z.string().min(1).max(300), data: tree })

/** `presets` and `mappings` are two names of the same thing; clients in the field use both. */
export const presetEndpoints = {
  presets: {
    method: 'GET',
    path: '/presets',
    also: ['/mappings'],
    access: 'models:read',
    query: z.object({ ...listed, modelId: z.string().max(100).optional() }),
    result: dataPage(Preset),
  },
  createPreset: {
    method: 'POST',
    path: '/presets',
    also: ['/mappings'],
    access: 'models:create',
    query: inOrganization,
    body: NewPreset,
    result: Preset,
    status: 201,
  },
  validatePreset: {
    method: 'POST',
    path: '/presets/validate',
    reads: true,
    also: ['/mappings/validate'],
    access: 'models:read',
    query: inOrganization,
    body: z.object({ name: z.string().optional(), data: tree }),
    result: z.object({ valid: z.boolean(), issues: z.array(Issue) }),
  },
  preset: {
    method: 'GET',
    path: '/presets/:id',
    also: ['/mappings/:id'],
    access: 'models:read',
    params: id,
    query: inOrganization,
    result: z.object({ value: Preset }),
  },
  /** Every device that uses the preset gets the new configuration. */
  updatePreset: {
    method: 'PUT',
    path: '/presets/:id',
    also: ['/mappings/:id'],
    access: 'models:update',
    params: id,
    query: inOrganization,
    body: NewPreset,
    result: z.object({ value: Preset }),
  },
  deletePreset: {
    method: 'DELETE',
    path: '/presets/:id',
    also: ['/mappings/:id'],
    access: 'models:delete',
    params: id,
    query: inOrganization,
    result: Preset,
  },
  deviceConfiguration: {
    method: 'GET',
    path: '/presets/:id/deviceConfiguration',
    also: ['/mappings/:id/deviceConfiguration'],
    access: 'models:read',
    params: id,
    query: inOrganization,
    result: z.looseObject({ type: z.literal('datamodel') }),
  },
} as const
