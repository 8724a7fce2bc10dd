import {
  MoveItem,
  Place,
  organizationImportToken as token,
} from '@longreach/core/device-move-contract'
import { type Endpoint, rowId } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization } from '../asked-contract.ts'
import { Attribute, tags } from './device-contract.ts'
import { DeviceQuestion } from '../search/search-contract.ts'

const someTags = tags.pipe(z.array(z.string()).min(1))

/** Actions on many devices at once: all that can be done to one. */
export const BulkAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('addTags'), tags: someTags }),
  z.object({ kind: z.literal('removeTags'), tags: someTags }),
  z.object({ kind: z.literal('addToGroup'), group: rowId }),
  z.object({ kind: z.literal('removeFromGroup'), group: rowId }),
  z.object({ kind: z.literal('setPreset'), presetId: z.string().min(1).max(100).nullable() }),
  z.object({ kind: z.literal('setAttribute'), ...Attribute.shape }),
  /** One import token of the other organization, for all of them together. */
  /** `notes`: description, attributes, comments and the time-line go along; else they are left behind. */
  z.object({ kind: z.literal('move'), token, notes: z.boolean().optional() }),
  z.object({ kind: z.literal('delete') }),
  z.object({ kind: z.literal('restore') }),
])
export type BulkAction = z.output<typeof BulkAction>

/** Devices that were picked, or everything that a question finds. */
export const BulkSelection = z.union([
  z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(10_000) }),
  z.strictObject({
    question: DeviceQuestion,
    /** Of all that match, not these. */
    except: z.array(z.string().max(100)).max(10_000).default([]),
  }),
])
export type BulkSelection = z.output<typeof BulkSelection>

const MoveCheck = z.object({
  to: Place,
  /** Present organizations of the devices that move, those with most devices first. */
  from: z.array(z.object({ resourceId: z.string(), devices: z.int() })),
  /** Devices that were chosen; that would move; that are there already; that the caller may not give away. */
  total: z.int(),
  moving: z.int(),
  there: z.int(),
  refused: z.int(),
  /** Devices that lose their preset. */
  losingPreset: z.int(),
  items: z.array(MoveItem),
})

export const bulkEndpoints = {
  /** Start doing it; rights are asked for each device, and what fails is told with its reason. */
  changeDevices: {
    method: 'POST',
    path: '/devices/bulk',
    access: ['devices:update', 'devices:delete', 'devicegroups:update'],
    query: inOrganization,
    body: z.object({
      action: BulkAction,
      selection: BulkSelection,
      /** Name of the action in lists, in the person's words. */
      label: z.string().trim().min(1).max(200),
    }),
    result: z.object({ id: z.string(), total: z.int() }),
    status: 202,
  },
  /** Effects of a move of these devices into the organization of a token; changes nothing. */
  checkMove: {
    method: 'POST',
    path: '/devices/bulk/move-check',
    reads: true,
    access: 'devices:delete',
    query: inOrganization,
    body: z.object({ selection: BulkSelection, token }),
    result: MoveCheck,
  },
  /** The list as CSV, all of it, in the order and with the columns asked for. */
  exportDevices: {
    method: 'POST',
    path: '/devices/export',
    reads: true,
    access: 'devices:read',
    query: inOrganization,
    body: z.object({
      question: DeviceQuestion,
      ids: z.array(z.string().max(100)).max(10_000).optional(),
      orderBy: z.string().max(100).optional(),
      orderDir: z.enum(['asc', 'desc']).optional(),
      /** Field and heading of each column; `attributes.site` reaches into the attributes. */
      columns: z
        .array(z.object({ field: z.string().max(300), label: z.string().max(200) }))
        .min(1)
        .max(100),
      /** Times are written in this zone. */
      timezone: z.string().max(100).default('UTC'),
    }),
    result: z.undefined(),
    files: ['text/csv'],
  },
} as const satisfies Record<string, Endpoint>
