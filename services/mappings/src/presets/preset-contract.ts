import { dataPage, flag, list } from '@longreach/kit/contract'
import { z } from 'zod'
import {
  inOrganization,
  Issue,
  largestTree,
  mostTreeValues,
  listQuery,
  tree,
} from '../asked-contract.ts'

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
  /** Organizations below see the preset and may give it to their devices. */
  subOrgsEnabledToView: z.boolean().default(false),
  creationDate: z.number(),
  updatedAt: z.number(),
})
export type Preset = z.output<typeof Preset>
/** As a list has it: without its content where that is left out. */
const ListedPreset = Preset.partial({ json: true })
export type ListedPreset = z.output<typeof ListedPreset>

const id = z.object({ id: z.string() })
export const NewPreset = z.object({ name: z.string().min(1).max(300), data: tree })

const PresetUse = z.object({
  id: z.string(),
  devices: z.int(),
  /** Those that said that they have taken the configuration over. */
  applied: z.int(),
  pending: z.int(),
  error: z.int(),
})
const PlatformMapping = z.object({
  mode: z.enum(['READ', 'WRITE', 'READ_HISTORY', 'WRITE_HISTORY']),
  modelPath: z.string(),
  endpoint: z.string(),
})
export type PlatformMapping = z.output<typeof PlatformMapping>

/** `presets` and `mappings` are two names of the same thing; clients in the field use both. */
export const presetEndpoints = {
  presets: {
    method: 'GET',
    path: '/presets',
    also: ['/mappings'],
    access: 'models:read',
    query: z.object({
      ...listQuery,
      modelId: z.string().max(100).optional(),
      omitContent: flag.optional(),
    }),
    result: dataPage(ListedPreset),
  },
  createPreset: {
    method: 'POST',
    path: '/presets',
    also: ['/mappings'],
    access: 'models:create',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    query: inOrganization,
    body: NewPreset,
    ignored: ['UUID'],
    result: Preset,
    status: 201,
  },
  validatePreset: {
    method: 'POST',
    path: '/presets/validate',
    reads: true,
    also: ['/mappings/validate'],
    access: 'models:read',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
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
  /** Changed fields only; every device that uses the preset gets a changed configuration. */
  updatePreset: {
    method: 'PUT',
    path: '/presets/:id',
    also: ['/mappings/:id'],
    access: 'models:update',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    params: id,
    query: inOrganization,
    body: z.object({
      name: NewPreset.shape.name.optional(),
      data: tree.optional(),
      /** `updatedAt` of the preset that was edited: a change of somebody else since is not written over. */
      unchangedSince: z.number().optional(),
    }),
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
  sharePreset: {
    method: 'PUT',
    path: '/presets/:id/subOrgsEnabledToView',
    also: ['/mappings/:id/subOrgsEnabledToView'],
    access: 'models:update',
    params: id,
    query: inOrganization,
    body: z.object({ data: z.boolean() }),
    result: z.object({ data: z.boolean() }),
  },
  /** Number of the visible devices that use each of these presets, by the state of their configuration. */
  presetUses: {
    method: 'GET',
    path: '/presets/uses',
    also: ['/mappings/uses'],
    access: ['models:read', 'devices:read'],
    query: z.object({ organization: listQuery.organization, ids: list }),
    result: z.array(PresetUse),
  },
  /** Endpoints at which the platform reads and writes each path: of one preset, or of all. */
  platformMappings: {
    method: 'GET',
    path: '/platformMappings',
    access: 'models:read',
    query: z.object({
      organization: listQuery.organization,
      presetId: z.string().max(100).optional(),
      modeFilter: z.enum(['READ', 'WRITE', 'READ_HISTORY', 'WRITE_HISTORY']).optional(),
      /** A path, or `Oven:1/zone/**` for everything below. */
      modelPath: z.string().max(2_000).optional(),
    }),
    result: z.array(PlatformMapping),
  },
} as const
